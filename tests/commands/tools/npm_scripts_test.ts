import { join } from "node:path";
import { release } from "../../../shared/infra/release.ts";
import { projectRoot } from "../../../supabase/platform/state.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../../support/assert.ts";
import { inventKey } from "../../support/invent_key.ts";
import { copyProject } from "../../support/local_stack.ts";
import { runCommand } from "../../support/run_command.ts";
import { slowStep } from "../../support/slow.ts";

const aTest = "tests/unit/measure_json_test.ts";

/** The files that run a script, where this one does not. */
const runElsewhere: Record<string, string> = {
  start: "tests/support/local_stack.ts",
  admin: "tests/commands/admin/npm_admin_test.ts",
  bench: "tests/commands/bench/bench_test.ts",
  soak: "tests/commands/bench/bench_test.ts",
  screenshots: "tests/browser/screenshots_test.ts",
  check: ".ci/run",
};

/** A script that must end well, and what it prints then. `isWriting`: it changes files of the project. */
type Run = { args?: string[]; env?: Record<string, string>; code?: number; prints: RegExp; isWriting?: boolean };

function describeRuns(folder: string): Record<string, Run> {
  const key = inventKey("0".repeat(32)).replace("hi_live_", "hi_pub_");
  const page = ["--base-url", "https://abc.supabase.co", "--key", key];
  return {
    setup: { prints: /^$/ },
    test: { args: [aTest], prints: /^\d+ passed, 0 failed$/m },
    "test:all": { args: [aTest], prints: /^\d+ passed, 0 failed$/m },
    "test:night": { args: [aTest], prints: /^\d+ passed, 0 failed$/m },
    // Without a file to run: the browser tests take minutes.
    "test:browser": {
      args: ["--ignore=tests/browser"],
      code: 1,
      prints: /^There is no file of tests in tests\/browser$/m,
    },
    deploy: { args: ["--help"], prints: /npm run deploy/ },
    backup: { args: ["--help"], prints: /npm run backup/ },
    restore: { args: ["abcdefghijklmnopqrst"], code: 2, prints: /^--folder is missing/ },
    status: {
      args: ["ftp://example.com"],
      env: { SECRET_KEY: "sb_secret_1" },
      code: 2,
      prints: /^This is neither the reference nor the address of a project/,
    },
    page: { args: [...page, "--supabase-key", "sb_publishable_1", "--out", join(folder, "page")], prints: /_headers/ },
    package: { prints: /\.tgz$/m, isWriting: true },
    release: { args: [release.version], prints: /^Release \S+ is written\./m, isWriting: true },
    lock: { prints: /^$/, isWriting: true },
    client: { prints: /^$/, isWriting: true },
    mutate: { args: ["pages", "--lanes=1", "--only=a picture"], prints: /^1 of 1 found: 100 %$/m },
    audit: { env: { npm_config_registry: "http://127.0.0.1:9/" }, prints: /^Warning: \d+ packages were NOT audited/m },
    chat: {
      env: { BASE_URL: "http://127.0.0.1:9", API_KEY: "k", COACH_ID: "c" },
      prints: /^The service cannot be reached at http:\/\/127\.0\.0\.1:9\.$/m,
      code: 1,
    },
  };
}

Deno.test("npm scripts", async (t) => {
  const folder = await Deno.makeTempDir({ prefix: "npm-scripts-" });
  const clone = await copyProject();
  await Deno.symlink(join(projectRoot, "node_modules"), join(clone, "node_modules"));
  const runs = describeRuns(folder);

  await t.step("each is run by a test", async () => {
    const { scripts } = JSON.parse(await Deno.readTextFile(join(projectRoot, "package.json")));
    assertEquals(Object.keys(scripts).toSorted(), [...Object.keys(runs), ...Object.keys(runElsewhere)].toSorted());
    for (const [name, file] of Object.entries(runElsewhere)) {
      const text = await Deno.readTextFile(join(projectRoot, file));
      assert(/"npm"|^npm/m.test(text), file);
      assertStringIncludes(text, name, file);
    }
  });

  for (const [name, { args = [], env, code = 0, prints, isWriting }] of Object.entries(runs)) {
    await slowStep(t, `npm run ${name} ends and prints what it should`, async () => {
      const run = await runCommand("npm", ["run", "--silent", name, "--", ...args], {
        cwd: isWriting ? clone : projectRoot,
        env,
      });
      const shown = `${run.stdout}\n${run.stderr}`;
      assertEquals(run.code, code, shown);
      assertMatch((run.stdout + run.stderr).trim(), prints, shown);
    });
  }

  await Deno.remove(join(clone, "node_modules"));
  for (const path of [folder, clone]) await Deno.remove(path, { recursive: true });
});
