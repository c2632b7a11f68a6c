/**
 * `npm test`: starts a Supabase of its own on an empty folder, runs every test against it, and ends with a line
 * `N passed, N failed`. Arguments are files and folders of tests; without any, the tests that need a browser are left
 * out. `TEST_SUPABASE_URL` names a Supabase that runs already on this machine, to be used instead.
 *
 * The tests of shared code, in `tests/unit`, run on both Denos: that of the tools, and that of the functions.
 */
import { join, relative, resolve } from "deno-std/path/mod.js";
import { writeOldLock } from "../supabase/deploy/lock_functions.ts";
import { findEdgeDeno } from "../supabase/local/edge_runtime/edge_deno.ts";
import { edgeDenoEnv } from "../supabase/local/edge_runtime/worker.ts";
import { projectRoot } from "../supabase/local/state.ts";
import { chooseBackend } from "./support/backend.ts";
import { startFunctionsPool } from "./support/functions_pool.ts";

const unitTests = "tests/unit";

await using backend = await chooseBackend().catch(({ message }: Error) => {
  console.error(message);
  Deno.exit(1);
});
await using lock = await writeOldLockFile();
await using pool = startFunctionsPool({ lock: lock.file });
const asked = Deno.args.length > 0 ? Deno.args : ["--ignore=tests/browser", "tests"];
const isOption = (arg: string) => arg.startsWith("-");
const paths = asked.filter((arg) => !isOption(arg)).map((path) => relative(Deno.cwd(), resolve(path)));
const results = [
  await runTests(Deno.execPath(), asked, { ...backend.env, TEST_FUNCTIONS_POOL: pool.url }),
];
const units = paths.includes("tests") ? [unitTests] : paths.filter((path) => path.startsWith(unitTests));
if (units.length > 0) {
  console.log("\nThe tests of shared code once more, on the Deno of the functions:\n");
  const options = [`--lock=${lock.file}`, "--frozen", "--config=deno.json", ...asked.filter(isOption)];
  results.push(await runTests(findEdgeDeno(), [...options, ...units], edgeDenoEnv));
}
const sum = (key: "passed" | "failed") => results.reduce((total, result) => total + result[key], 0);
console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
Deno.exitCode = results.some(({ code }) => code !== 0) ? 1 : 0;

/** The lock file of the project in the format that the Deno of the functions reads. It goes when it is disposed of. */
async function writeOldLockFile() {
  const file = await Deno.makeTempFile({ prefix: "deno-", suffix: ".lock" });
  await Deno.writeTextFile(file, writeOldLock(await Deno.readTextFile(join(projectRoot, "deno.lock"))));
  return { file, [Symbol.asyncDispose]: () => Deno.remove(file) };
}

type Result = { passed: number; failed: number; code: number };

/** Runs `deno test`, shows what it prints, and counts tests and steps. */
async function runTests(deno: string, args: string[], env: Record<string, string>): Promise<Result> {
  const child = new Deno.Command(deno, {
    args: ["test", "--quiet", "--allow-all", "--no-check", ...args],
    env,
    stdout: "piped",
  }).spawn();
  let summary = "";
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    await Deno.stdout.write(new TextEncoder().encode(text));
    summary = (summary + text).slice(-2_000);
  }
  const { code } = await child.status;
  // The last such line, since tests print as well: ok | 12 passed (85 steps) | 1 failed (2 steps) (3s)
  // deno-lint-ignore no-control-regex
  const plain = summary.replace(/\x1b\[\d+(?:;\d+)*m/g, "");
  const counts = /\| (\d+) passed(?: \((\d+) steps?\))? \| (\d+) failed(?: \((\d+) steps?\))?/g;
  const [, passed = 0, passedSteps = 0, failed = 0, failedSteps = 0] = [...plain.matchAll(counts)].at(-1) ?? [];
  return { passed: Number(passed) + Number(passedSteps), failed: Number(failed) + Number(failedSteps), code };
}
