import { join } from "node:path";
import { projectRoot } from "../../../supabase/platform/state.ts";
import { assert, assertEquals, assertMatch } from "../../support/assert.ts";
import { runCommand } from "../../support/run_command.ts";

const files = {
  "fine_test.ts": `
    Deno.test("adds", async (t) => {
      console.log("printed by what passes");
      await t.step("one and one", () => {});
    });
    Deno.test("subtracts", () => {});`,
  "failing_test.ts": `
    Deno.test("divides", () => {
      console.log("printed by what fails");
      throw new Error("by zero");
    });`,
  "broken_test.ts": `import "./nowhere.ts";`,
  "hanging_test.ts": `
    Deno.test("waits", async () => {
      console.log("printed by what hangs");
      await new Promise((resolve) => setTimeout(resolve, 3_600_000));
    });`,
  "slow_test.ts": `
    import { nightly, onceARun, slow } from ${JSON.stringify(join(projectRoot, "tests/support/slow.ts"))};
    Deno.test({ name: "counts", ...slow, fn() {} });
    Deno.test({ name: "counts all night", ...nightly, fn() {} });
    for (const row of onceARun(["one", "two", "three"], { salt: "" })) Deno.test("counts to " + row, () => {});`,
  "folder/deep_test.ts": `Deno.test("dives", () => {});`,
  "helper.ts": `throw new Error("no file of tests");`,
};

Deno.test("a run of tests", async (t) => {
  const folder = await Deno.makeTempDir({ prefix: "tests-to-run-" });
  await using stack = new AsyncDisposableStack();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  await Deno.mkdir(join(folder, "folder"));
  for (const [name, code] of Object.entries(files)) await Deno.writeTextFile(join(folder, name), code);

  async function runWith(env: Record<string, string>, ...args: string[]) {
    const { code, stdout, stderr } = await runCommand(Deno.execPath(), [
      ...["run", "--quiet", "--frozen", "-A", join(projectRoot, "tests/support/run.ts")],
      ...args.map((arg) => arg in files || arg === "folder" ? join(folder, arg) : arg),
    ], { env: { NO_COLOR: "1", TEST_SUPABASE_URL: "", TEST_ROTATION: "", ...env } });
    const lines = stdout.trimEnd().split("\n");
    return { code, stdout, stderr, last: lines.at(-1), lines };
  }
  const run = (...args: string[]) => runWith({}, ...args);
  const counts = ({ code, last }: Awaited<ReturnType<typeof run>>) => [code, last];

  await t.step("counts tests and steps in its last line, and prints the time of each file", async () => {
    const result = await run("fine_test.ts", "folder");
    assertEquals(counts(result), [0, "4 passed, 0 failed"], result.stdout);
    assertMatch(result.stdout, /^ +\d+\.\d s {2}\S*fine_test\.ts {2}3 passed$/m);
    assertMatch(result.stdout, /^ +\d+\.\d s {2}\S*folder\/deep_test\.ts {2}1 passed$/m);
    assert(!result.stdout.includes("printed by what passes"), result.stdout);
  });

  await t.step("prints the whole output of a file in which a test fails, and fails", async () => {
    const result = await run("failing_test.ts", "fine_test.ts");
    assertEquals(counts(result), [1, "3 passed, 1 failed"], result.stdout);
    assertMatch(result.stdout, /printed by what fails[^]*by zero/);
    assertMatch(result.stdout, /^Failed: \S*failing_test\.ts$/m);
    assert(!result.stdout.includes("printed by what passes"), result.stdout);
  });

  await t.step("counts a file that cannot be loaded as a failure", async () => {
    const result = await run("broken_test.ts", "fine_test.ts");
    assertEquals(counts(result), [1, "3 passed, 1 failed"], result.stdout);
    assertMatch(result.stdout, /nowhere\.ts/);
  });

  await t.step("stops a file that takes too long, and runs the next", async () => {
    const result = await run("--time-limit=2", "--lanes=1", "hanging_test.ts", "fine_test.ts");
    assertEquals(counts(result), [1, "3 passed, 1 failed"], result.stdout);
    assertMatch(result.stdout, /printed by what hangs[^]*hanging_test\.ts was stopped: it took longer than 2 seconds/);
  });

  await t.step("says how many slow tests it leaves out, and runs them with --all and --night", async () => {
    const quick = await run("slow_test.ts", "fine_test.ts");
    assertEquals(counts(quick), [0, "4 passed, 0 failed"], quick.stdout);
    assertMatch(quick.stdout, /^2 tests left to npm run test:all and npm run test:night$/m);
    const all = await run("--all", "slow_test.ts", "fine_test.ts");
    assertEquals(counts(all), [0, "5 passed, 0 failed"], all.stdout);
    assertMatch(all.stdout, /^1 tests left to npm run test:night$/m);
    const night = await run("--night", "slow_test.ts", "fine_test.ts");
    assertEquals(counts(night), [0, "8 passed, 0 failed"], night.stdout);
    assert(!night.stdout.includes("left"), night.stdout);
  });

  await t.step("runs one combination, and that of an earlier run again", async () => {
    const find = (text: string, pattern: RegExp) => pattern.exec(text)?.[1] ?? "";
    const first = await run("slow_test.ts");
    const chosen = find(first.stdout, /(counts to \w+)/);
    const rotation = Number(find(first.stdout, /TEST_ROTATION=(\d+)$/m));
    const others = [rotation, rotation + 1, rotation + 2].map((each) =>
      runWith({ TEST_ROTATION: String(each) }, "slow_test.ts")
    );
    const found = (await Promise.all(others)).map(({ stdout }) => find(stdout, /(counts to \w+)/));
    assertEquals(found[0], chosen);
    assertEquals(found.toSorted(), ["counts to one", "counts to three", "counts to two"]);
  });

  await t.step("passes other options on, with or without an equals sign", async () => {
    assertEquals((await run("folder", "fine_test.ts", "--filter", "adds")).last, "2 passed, 0 failed");
    assertEquals((await run("--filter=/dives|subtracts/", "folder", "fine_test.ts")).last, "2 passed, 0 failed");
  });

  await t.step("prints the whole output when there is only one file", async () => {
    const result = await run("fine_test.ts");
    assertMatch(result.stdout, /printed by what passes[^]*one and one/);
    assertEquals(counts(result), [0, "3 passed, 0 failed"]);
  });

  for (
    const [args, sentence] of [
      [["tests/nowhere"], "tests/nowhere does not exist"],
      [["--lanes=0"], "--lanes is a whole number from 1, not 0"],
      [["--time-limit=soon"], "--time-limit is a whole number from 1, not soon"],
    ] as const
  ) {
    await t.step(`with the argument ${args.join(" ")} it says what is wrong`, async () => {
      const { code, stdout, stderr } = await run(...args);
      assertEquals([code, stdout, stderr], [1, "", `${sentence}\n`]);
    });
  }
});
