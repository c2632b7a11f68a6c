/**
 * `npm run mutate`: makes wrong changes in copies of the project, one at a time, and runs the tests that ought to find
 * them, each file until one fails. Fails if fewer than 90 % of the changes are found.
 *
 * Arguments are subjects (see `subjects`), by default all of them. `--only` selects the changes whose name contains a
 * text, `--lanes` says how many copies there are, `--time-limit` after how many seconds a file is stopped, and has
 * failed.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { pooledMap } from "../../shared/libs/base/std/async.ts";
import { projectRoot } from "../../supabase/platform/state.ts";
import { copyProject } from "../support/local_stack.ts";
import { runCommand } from "../support/run_command.ts";
import { change, type Mutation, subjects } from "./mutation.ts";

/** The share that has to be found, in percent. */
const leastFound = 90;

/**
 * What became of a wrong change. `why`: the test that failed first or, of a file that was stopped or could not be loaded
 * and so has found nothing, its last line.
 */
type Outcome = { kind: "found" | "broken" | "survived" | "left out"; why?: string };

const interruption = new AbortController();
const interrupt = () => interruption.abort(new Error("Interrupted"));
const signals = ["SIGINT", "SIGTERM"] as const;
for (const signal of signals) Deno.addSignalListener(signal, interrupt);
try {
  await run();
} catch (error) {
  const reasons = error instanceof AggregateError ? error.errors : [error];
  for (const reason of reasons) console.error((reason as Error).message);
  Deno.exitCode = 1;
} finally {
  for (const signal of signals) Deno.removeSignalListener(signal, interrupt);
}

async function run(): Promise<void> {
  const { mutations, lanes, limit } = plan();
  await using resources = new AsyncDisposableStack();
  const copies = await Promise.all(Array.from({ length: lanes }, async () => {
    const folder = await copyProject();
    resources.defer(() => Deno.remove(folder, { recursive: true }));
    await Deno.symlink(join(projectRoot, "node_modules"), join(folder, "node_modules"));
    return folder;
  }));
  // Before hours are spent: a list that no longer fits is an error, and so are tests that fail anyway.
  for (const mutation of mutations) change(await Deno.readTextFile(join(projectRoot, mutation.file)), mutation);
  const files = [...new Set(mutations.flatMap(({ tests }) => tests))];
  console.log(`Wrong changes: ${mutations.length}. Files of their tests, which first run without any: ${files.length}`);
  const { code, output } = await runTests(copies[0]!, [...files, `--lanes=${lanes}`, limit]);
  if (code !== 0) throw new Error(`${output}\nThese tests fail without a wrong change.`);

  const counts = { found: 0, broken: 0, survived: 0, "left out": 0 };
  const outcomes = pooledMap(lanes, mutations, async (mutation) => {
    const folder = copies.pop()!;
    const { kind, why } = await judge(folder, mutation, limit);
    copies.push(folder);
    counts[kind]++;
    console.log(`${kind.padEnd(8)}  ${mutation.name}${why === undefined ? "" : `  (${why})`}`);
  });
  for await (const _ of outcomes);
  const { found, "left out": leftOut } = counts;
  const judged = mutations.length - leftOut;
  if (leftOut > 0) console.log(`${leftOut} left out: their tests need something that is missing here`);
  console.log(`${found} of ${judged} found: ${Math.floor(100 * found / judged)} %`);
  if (!(100 * found >= leastFound * judged)) throw new Error(`At least ${leastFound} % must be found.`);
}

function plan() {
  const { values, positionals } = parseArgs({
    args: Deno.args,
    allowPositionals: true,
    options: {
      only: { type: "string", default: "" },
      lanes: { type: "string", default: "2" },
      "time-limit": { type: "string", default: "600" },
    },
  });
  const unknown = positionals.find((name) => !Object.hasOwn(subjects, name));
  if (unknown !== undefined) {
    throw new Error(`There is no subject ${unknown}, only ${Object.keys(subjects).join(", ")}`);
  }
  const chosen = positionals.length === 0 ? Object.values(subjects) : positionals.map((name) => subjects[name]!);
  const mutations = chosen.flat().filter(({ name }) => name.includes(values.only));
  if (mutations.length === 0) throw new Error(`No wrong change has a name with ${values.only}`);
  return { mutations, lanes: Number(values.lanes), limit: `--time-limit=${values["time-limit"]}` };
}

/** Makes a wrong change, runs its tests, and undoes it. */
async function judge(folder: string, mutation: Mutation, limit: string): Promise<Outcome> {
  const path = join(folder, mutation.file);
  const text = await Deno.readTextFile(path);
  await Deno.writeTextFile(path, change(text, mutation));
  try {
    let hasRun = false;
    for (const file of mutation.tests) {
      const { code, output } = await runTests(folder, [file, "--lanes=1", limit]);
      if (code !== 0) {
        const failed = /^ *(.+) \.\.\. FAILED \(\d/m.exec(output)?.[1];
        if (failed === undefined) return { kind: "broken", why: `${file}: ${output.trimEnd().split("\n").at(-1)}` };
        return { kind: "found", why: `${file}: ${failed}` };
      }
      hasRun ||= /^[1-9]\d* passed, /m.test(output);
    }
    return { kind: hasRun ? "survived" : "left out" };
  } finally {
    await Deno.writeTextFile(path, text);
  }
}

async function runTests(folder: string, args: string[]): Promise<{ code: number; output: string }> {
  const command = ["run", "--quiet", "--frozen", "-A", "tests/support/run.ts", ...args];
  const { signal } = interruption;
  const { code, stdout, stderr } = await runCommand(Deno.execPath(), command, {
    cwd: folder,
    env: { NO_COLOR: "1" },
    signal,
  });
  signal.throwIfAborted();
  return { code, output: stdout + stderr };
}
