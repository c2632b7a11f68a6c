/**
 * `npm test`: starts a Supabase of its own on an empty folder, runs every test against it, and ends with a line
 * `N passed, N failed`. Arguments are handed to `deno test`; without any, the tests that need a browser are left out.
 * `TEST_SUPABASE_URL` names a Supabase that runs already on this machine, to be used instead.
 */
import { chooseBackend } from "./support/backend.ts";
import { startFunctionsPool } from "./support/functions_pool.ts";

await using backend = await chooseBackend().catch(({ message }: Error) => {
  console.error(message);
  Deno.exit(1);
});
await using pool = startFunctionsPool();
const child = new Deno.Command(Deno.execPath(), {
  args: [
    "test",
    "--quiet",
    "--allow-all",
    "--no-check",
    ...(Deno.args.length > 0 ? Deno.args : ["--ignore=tests/browser", "tests"]),
  ],
  env: { ...backend.env, TEST_FUNCTIONS_POOL: pool.url },
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
console.log(`${Number(passed) + Number(passedSteps)} passed, ${Number(failed) + Number(failedSteps)} failed`);
Deno.exitCode = code;
