/**
 * `npm test`, `npm run test:all` and `npm run test:night`: run files of tests in several lanes at the same time, print
 * each file with its time, and end with a line `N passed, N failed`. Each lane has a Supabase of its own. It runs one
 * process after the other, each with a file or several of a folder (`group_files.ts`).
 *
 * Arguments are files and folders of tests. `npm run test:all` passes `--all`, `npm run test:night` passes `--night`.
 * Tests that are marked for a later level (`slow.ts`) are left out and, unless they are named, the files that
 * `left_out.ts` lists for it. `--lanes` says how many lanes there are, `--time-limit` after how many seconds a process is
 * stopped, `--ignore` which paths are left out; other options are those of `deno test`. `TEST_SUPABASE_URL` names a
 * running Supabase on this machine to use instead, `TEST_ROTATION` the combinations of an earlier run (`onceARun`).
 *
 * Unit tests run on the Deno that their code is deployed on (`choose_deno.ts`).
 */
import { join, normalize } from "node:path";
import { writeOldLock } from "../../supabase/commands/deploy/lock_functions.ts";
import { findEdgeDeno } from "../../supabase/platform/edge_runtime/edge_deno.ts";
import { edgeDenoEnv } from "../../supabase/platform/edge_runtime/worker.ts";
import { projectRoot } from "../../supabase/platform/state.ts";
import { chooseDeno } from "./runner/choose_deno.ts";
import { findTestFiles } from "./runner/find_test_files.ts";
import { groupFiles } from "./runner/group_files.ts";
import { createLanes, type Lane } from "./runner/lane.ts";
import { readArguments } from "./runner/read_arguments.ts";
import { type FileResult, runTestFiles } from "./runner/run_test_files.ts";
import { type Backend, findBackend } from "./backend.ts";
import { startFunctionsPool } from "./functions_pool.ts";
import { leftToAll, leftToNight } from "./left_out.ts";
import { runCommand } from "./run_command.ts";

/** The files of a process, to be run on the Deno of the tools or of the functions. */
type Job = { files: string[]; isOnFunctionsDeno: boolean };

/** The slowest folders come first, so that the lanes end at about the same time. */
const byDuration = [
  ...[
    "commands/deploy",
    "commands/stack",
    "upgrade",
    "commands/bench",
    "database",
    "browser",
    "http",
    "commands/admin",
    "unit",
  ],
  "",
];
/** The folders whose tests need no Supabase, or start their own. */
const withoutSupabase = ["tests/commands/bench/", "tests/commands/tools/", "tests/unit/", "tests/upgrade/"];

const { asked, joined, jobs, fileCount, filesLeft } = await plan().catch(({ message }: Error) => {
  console.error(message);
  Deno.exit(1);
});
const isAlone = jobs.length === 1;
const interruption = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.addSignalListener(signal, () => interruption.abort());
}
const start = performance.now();
const results = await runAll();
summarize();

async function plan() {
  const asked = readArguments(Deno.args);
  const paths = asked.paths.length > 0 ? asked.paths : ["shared/libs", "tests"];
  const ignored = findTestFiles(asked.ignored);
  const later = { quick: [...leftToAll, ...leftToNight], all: leftToNight, night: [] }[asked.level];
  const left = asked.paths.length > 0 ? [] : findTestFiles(later).filter((file) => !ignored.includes(file));
  const rankOf = (file: string) => byDuration.findIndex((folder) => file.startsWith(join("tests", folder)));
  const files = findTestFiles(paths).filter((file) => !ignored.includes(file) && !left.includes(file))
    .toSorted((a, b) => rankOf(a) - rankOf(b));
  const [onToolsDeno = [], onFunctionsDeno = []] = (["tools", "functions"] as const).map((deno) =>
    files.filter((file) => chooseDeno(file, { isQuick: asked.level === "quick" }).includes(deno))
  );
  const fileCount = onToolsDeno.length + onFunctionsDeno.length;
  if (fileCount === 0) throw new Error(`There is no file of tests in ${paths.join(", ")}`);
  const joined: Backend | null = await findBackend();
  // Two files must not run at the same time on one Supabase or one database server.
  if (joined !== null || Deno.env.get("DATABASE_URL")) asked.lanes = 1;
  // Files that are named, and slow ones.
  const alone = [...paths.map((path) => normalize(path)), ...leftToAll, ...leftToNight];
  const group = (files: string[]) => groupFiles(files, { alone, lanes: asked.lanes });
  const jobs: Job[] = [
    ...group(onToolsDeno).map((files) => ({ files, isOnFunctionsDeno: false })),
    ...group(onFunctionsDeno).map((files) => ({ files, isOnFunctionsDeno: true })),
  ];
  asked.lanes = Math.min(asked.lanes, jobs.length);
  return { asked, joined, jobs, fileCount, filesLeft: left.length };
}

async function runAll(): Promise<FileResult[]> {
  const rotation = Deno.env.get("TEST_ROTATION") || await chooseRotation();
  console.log(
    `${fileCount} ${fileCount === 1 ? "file" : "files"} in ${asked.lanes} ${asked.lanes === 1 ? "lane" : "lanes"}, on ${
      joined === null ? "a Supabase of their own" : `the Supabase at ${joined.url}`
    }, TEST_ROTATION=${rotation}`,
  );
  await using resources = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir({ prefix: "test-run-" });
  resources.defer(() => Deno.remove(folder, { recursive: true }));
  const lock = join(folder, "deno.lock");
  await Deno.writeTextFile(lock, writeOldLock(await Deno.readTextFile(join(projectRoot, "deno.lock"))));
  const pool = resources.use(startFunctionsPool({ lock }));
  // A stopped file may leave temporary files; they are deleted with this folder.
  const temporary = join(folder, "tmp");
  await Deno.mkdir(temporary);
  const env = {
    TMPDIR: temporary,
    TEST_RUN_FOLDER: folder,
    TEST_FUNCTIONS_POOL: pool.url,
    TEST_LEVEL: asked.level,
    TEST_ROTATION: rotation,
  };
  const lanes = createLanes(asked.lanes, { joined }).map((lane) => resources.use(lane));
  const queue = jobs.values();
  const results: FileResult[] = [];
  // Each lane takes the next process when one has ended.
  await Promise.all(lanes.map(async (lane) => {
    for (const job of queue) {
      if (interruption.signal.aborted) return;
      for (const result of await run(job, lane, { lock, env })) {
        show(result);
        results.push(result);
      }
    }
  }));
  return results;
}

/** The same number in all processes of the run and in its repetition, but another one for another commit. */
async function chooseRotation(): Promise<string> {
  const { code, stdout } = await runCommand("git", ["rev-parse", "HEAD"], { cwd: projectRoot });
  return code === 0 ? String(parseInt(stdout.slice(0, 6), 16)) : "0";
}

type Surroundings = { lock: string; env: Record<string, string> };

async function run({ files, isOnFunctionsDeno }: Job, lane: Lane, { lock, env }: Surroundings): Promise<FileResult[]> {
  const needsSupabase = files.some((file) =>
    file.startsWith("tests/") && !withoutSupabase.some((folder) => file.startsWith(folder))
  );
  const results = await runTestFiles({
    ...isOnFunctionsDeno
      ? {
        deno: findEdgeDeno(),
        options: [`--lock=${lock}`, "--frozen", "--config=deno.json", ...asked.options],
        env: { ...env, ...edgeDenoEnv },
      }
      : {
        deno: Deno.execPath(),
        options: asked.options,
        env: needsSupabase ? { ...env, ...await lane.env() } : env,
      },
    files,
    limit: files.length === 1 ? asked.limit : 2 * asked.limit,
    signal: interruption.signal,
    onOutput: isAlone ? (bytes) => void Deno.stdout.writeSync(bytes) : undefined,
  });
  return isOnFunctionsDeno
    ? results.map((result) => ({ ...result, name: `${result.name} (on the Deno of the functions)` }))
    : results;
}

/** Prints the result of a file. */
function show({ name, isOk, passed, failed, ignored, milliseconds }: FileResult): void {
  // No test of the file was selected.
  if (isOk && passed + ignored === 0) return;
  const counts = [
    `${passed} passed`,
    ...failed > 0 ? [`${failed} FAILED`] : [],
    ...ignored > 0 ? [`${ignored} left out`] : [],
  ];
  console.log(`${(milliseconds / 1_000).toFixed(1).padStart(6)} s  ${name}  ${counts.join(", ")}`);
}

/** Prints the whole output of the files in which a test failed, and the summary; sets the exit code. */
function summarize(): void {
  const sum = (key: "passed" | "failed" | "ignored") => results.reduce((total, result) => total + result[key], 0);
  // At the end, where whoever keeps only the end of a long log still finds the reason.
  const failures = results.filter(({ isOk }) => !isOk);
  const outputs = Map.groupBy(failures, ({ output }) => output);
  if (!isAlone) {
    for (const [output, files] of outputs) console.log(`\n${files.map(({ name }) => name).join("\n")}\n${output}`);
  }
  for (const { name } of failures) console.log(`Failed: ${name}`);
  if (interruption.signal.aborted) console.log(`Interrupted: ${fileCount - results.length} files have not run`);
  const left = [
    ...sum("ignored") > 0 ? [`${sum("ignored")} tests`] : [],
    ...filesLeft > 0 ? [`${filesLeft} files`] : [],
  ];
  const next = {
    quick: "left to npm run test:all and npm run test:night",
    all: "left to npm run test:night",
    night: "left out on this system",
  }[asked.level];
  if (left.length > 0) console.log(`${left.join(" and ")} ${next}`);
  console.log(`${((performance.now() - start) / 1_000).toFixed(0)} seconds`);
  console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
  Deno.exitCode = interruption.signal.aborted ? 130 : failures.length > 0 ? 1 : 0;
}
