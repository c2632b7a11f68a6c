import { join } from "node:path";
import { projectRoot } from "../../../supabase/platform/state.ts";
import type { TestCase } from "../../../shared/features/coach_tests/test_case.ts";
import { assert, assertEquals, assertMatch } from "../../support/assert.ts";
import { eventually } from "../../support/eventually.ts";
import { inventTests } from "../../support/invent_tests.ts";
import { createTenant, operator, secretKey } from "../../support/project.ts";
import { sentenceOf } from "../../support/refusals.ts";
import { type Service, startService } from "../../support/service.ts";
import { runAdmin, type RunOptions } from "./run_admin.ts";

/** The tests of a coach, in the order in which they were added. */
async function testsOf(coachId: string) {
  const { data } = await operator.from("test_cases").select("question,history,expect").eq("coach_id", coachId)
    .order("number").throwOnError();
  return data;
}

Deno.test("npm run admin -- test import, list and export", async (t) => {
  await using stack = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const [{ coachId }, other] = await Promise.all([createTenant(), createTenant()]);
  const write = (name: string, text: string | Uint8Array) =>
    Deno.writeFile(join(folder, name), typeof text === "string" ? new TextEncoder().encode(text) : text);
  const test = (words: string, ...args: string[]) => runAdmin(["test", words, ...args, "--coach", coachId], { folder });

  await t.step("import adds all tests of a CSV file, in their order", async () => {
    await write(
      "bread.csv",
      '\ufeffquestion;__expected;notes\r\nWhich flour?;icontains: rye;x\r\n"Why;\r\nthough?";;\r\n',
    );
    const run = await test("import", "bread.csv");
    assertEquals([run.code, run.said], [0, "Imported 2 tests."], run.noted);
    assertMatch(run.noted, /^Columns that are not used: notes\.$/m);
    assertEquals(await testsOf(coachId), [
      { question: "Which flour?", history: [], expect: { icontains: ["rye"] } },
      { question: "Why;\nthough?", history: [], expect: {} },
    ]);
  });

  await t.step("import skips what the coach has already", async () => {
    await write("more.jsonl", '{"question":"Which flour?","expect":{"icontains":["rye"]}}\n{"question":"New?"}\n');
    const run = await test("import", "more.jsonl");
    assertEquals([run.code, run.said], [0, "Imported 1 test. The coach had 1 already."], run.noted);
    assertEquals((await test("import", "more.jsonl", "--json")).json(), { added: 0, skipped: 2 });
  });

  await t.step("import names each bad row, and adds nothing", async () => {
    const before = await testsOf(coachId);
    await write("bad.csv", "question,__expected\nFine?,contains: a\nRun?,javascript: 1\nRead?,contains: file://a\n");
    const run = await test("import", "bad.csv");
    assertEquals([run.code, run.said], [1, ""]);
    assertEquals(run.noted.split("\n").slice(-3), [
      "bad.csv, row 3: __expected would run code or call a server (javascript:)",
      "bad.csv, row 4: __expected contains would read a file (file://)",
      "Nothing was imported: 2 rows cannot be used.",
    ]);
    const rows = Array.from({ length: 501 }, (_, index) => JSON.stringify({ question: `${index}?` }));
    await write("many.jsonl", rows.join("\n"));
    const many = await test("import", "many.jsonl");
    assertEquals([many.code, many.noted.split("\n").at(-1)], [1, sentenceOf("too_many_tests")]);
    assertEquals(await testsOf(coachId), before);
  });

  await t.step("import refuses files that it cannot read", async () => {
    await write("latin.csv", new Uint8Array([0x71, 0xfc]));
    await write("empty.jsonl", "\n");
    await write("tests.txt", "question\nq\n");
    const rows: [args: string[], code: number, noted: RegExp][] = [
      [["latin.csv"], 2, /latin\.csv is not in UTF-8/],
      [["none.csv"], 2, /none\.csv does not exist/],
      [["tests.txt"], 2, /--format is missing/],
      [["tests.txt", "--format", "ragas"], 2, /--format must be promptfoo or jsonl/],
      [["empty.jsonl"], 1, /empty\.jsonl has no tests/],
    ];
    for (const [args, code, noted] of rows) {
      const run = await test("import", ...args);
      assertEquals(run.code, code, run.noted);
      assertMatch(run.noted, noted);
    }
    const unknown = await runAdmin(["test", "import", "more.jsonl", "--coach", "nobody"], { folder });
    assertEquals([unknown.code, unknown.noted.split("\n").at(-1)], [1, sentenceOf("coach_not_found")]);
    assertEquals((await test("import", "tests.txt", "--format", "promptfoo")).code, 0);
  });

  await t.step("list shows what each test expects", async () => {
    const run = await test("list");
    assertMatch(run.said, /^[0-9a-f-]{36} +Which flour\? +icontains +/m);
    assertMatch(run.said, /Why;\\u\{a\}though\? +- +/);
    assertEquals((await test("list", "--json")).json().map(({ question }: { question: string }) => question), [
      "Which flour?",
      "Why;\nthough?",
      "New?",
      "q",
    ]);
  });

  await t.step("what export writes is what import reads", async () => {
    // The local Postgres leaves out a byte order mark at the beginning of a question when it is read.
    const tests = inventTests(100, 6).map((test) => ({ history: [], ...test, question: `Why? ${test.question}` }));
    await operator.rpc("import_tests", { coach: coachId, tests }).throwOnError();
    const stored = await testsOf(coachId);
    for (const [format, name] of [["promptfoo", "all.csv"], ["jsonl", "all.jsonl"]] as const) {
      const run = await test("export", "--format", format, "--output", name);
      assertEquals([run.code, run.said], [0, `Wrote ${stored.length} tests to ${name}.`], run.noted);
      const { coachId: copy } = await createTenant();
      const read = await runAdmin(["test", "import", name, "--coach", copy], { folder });
      assertEquals([read.code, read.said], [0, `Imported ${stored.length} tests.`], read.noted);
      assertEquals(await testsOf(copy), stored);
      assertEquals((await test("import", name, "--json")).json(), { added: 0, skipped: stored.length });
    }
  });

  await t.step("export writes to stdout, and to a terminal nothing that controls it", async () => {
    await operator.rpc("import_tests", { coach: other.coachId, tests: [{ question: "\u001b[2J?" }] }).throwOnError();
    const args = ["test", "export", "--coach", other.coachId];
    assertEquals(
      (await runAdmin(args)).said,
      "question,__expected,__metadata:outcome,__metadata:sources[]\r\n\u001b[2J?,,,",
    );
    assert(!(await runAdmin(args, { isTerminal: true })).said.includes("\u001b"));
    assert(!(await runAdmin([...args, "--json"], { isTerminal: true })).said.includes("\u001b"));
  });

  await t.step("export of answers needs a run", async () => {
    const run = await test("export", "--format", "ragas");
    assertEquals([run.code, run.noted], [1, "No run of this coach is done."]);
    const none = await test("export", "--format", "ragas", "--run", crypto.randomUUID());
    assertEquals([none.code, none.noted], [1, "Run not found"]);
  });
});

/** A coach whose model always gives the same answer, with tests of it. */
async function createTested(service: Service, said: string, tests: TestCase[]) {
  const tenant = await createTenant();
  service.model.script(tenant.modelName, { steps: [{ text: said }] });
  await operator.rpc("import_tests", { coach: tenant.coachId, tests }).throwOnError();
  return { ...tenant, say: (text: string) => service.model.script(tenant.modelName, { steps: [{ text }] }) };
}

Deno.test("npm run admin -- test run", async (t) => {
  await using service = await startService();
  await using stack = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const coach = await createTested(service, "Rye.", [
    { question: "Which flour?", expect: { contains: ["Rye"] } },
    { question: "What else?", expect: { contains: ["Spelt"] } },
    { question: "Is it kind?", expect: { rubric: "Is kind" } },
  ]);
  const env = { BASE_URL: service.supabase.url };
  const run = (args: string[] = [], options: RunOptions = {}) =>
    runAdmin(["test", "run", "--coach", coach.coachId, ...args], { env, folder, ...options });

  await t.step("the first run has nothing to compare with: what fails does not fail newly", async () => {
    const { code, said, noted } = await run();
    assertEquals(code, 0, noted);
    assertMatch(
      said,
      /^Failing as before, or for the first time:\n {2}What else\? .*\n {4}The answer does not contain "Spelt"\.\n/,
    );
    assertMatch(said, /\n\nNot judged:\n {2}Is it kind\? /);
    assertMatch(said, /\n\n1 passed, 1 failed, 1 not judged\. Run [0-9a-f-]{36}$/);
    assertMatch(noted, /^Run [0-9a-f-]{36} of 3 tests$/m);
    assertMatch(noted, /^3 of 3 tests: 1 failed$/m);
  });

  await t.step("what newly fails is shown first, is in the report, and makes the exit code 1", async () => {
    coach.say("Spelt & <nothing> else.");
    const { code, said, noted } = await run(["--junit", "report.xml"]);
    assertEquals(code, 1, noted);
    assertMatch(said, /^Newly failing:\n {2}Which flour\? .*\n {4}The answer does not contain "Rye"\.\n\nNot judged:/);
    assertMatch(said, /\n\nNewly passing:\n {2}What else\? .*\n\n1 passed, 1 failed \(1 newly\), 1 not judged\. /);
    const xml = await Deno.readTextFile(join(folder, "report.xml"));
    assertMatch(
      xml,
      /<testcase name="Which flour\?" .*\n<failure message="Newly failing: The answer does not contain &quot;Rye/,
    );
    assertMatch(xml, /Spelt &amp; &lt;nothing&gt; else\.<\/failure>/);
    assertMatch(xml, /<testcase name="What else\?" classname=".*" time=".*"\/>/);
    assertMatch(xml, /<testsuite name="Ada Byron" tests="3" failures="1" errors="0" skipped="1" /);
  });

  await t.step("what fails still does not fail newly", async () => {
    const { code, json } = await run(["--json"]);
    const { status, passed, failed, newly_failing, results } = json();
    assertEquals([code, status, passed, failed, newly_failing, results.length], [0, "done", 1, 1, [], 3]);
  });

  await t.step("the answers are exported for Ragas, with the passages", async () => {
    const args = ["test", "export", "--coach", coach.coachId, "--format", "ragas"];
    const lines = (await runAdmin(args, { env })).said.split("\n").map((line) => JSON.parse(line));
    assertEquals(lines.map(({ user_input, response, reference }) => [user_input, response, reference]), [
      ["Which flour?", "Spelt & <nothing> else.", "Rye"],
      ["What else?", "Spelt & <nothing> else.", "Spelt"],
      ["Is it kind?", "Spelt & <nothing> else.", "Is kind"],
    ]);
    const { data } = await operator.rpc("summarize_test_runs", { coach: coach.coachId }).throwOnError();
    const [first] = (data as { id: string }[]).slice(-1);
    const earlier = await runAdmin([...args, "--run", first!.id], { env });
    assertEquals(JSON.parse(earlier.said.split("\n")[0]!).response, "Rye.");
    const other = await createTenant();
    const foreign = await runAdmin([...args.with(3, other.coachId), "--run", first!.id], { env });
    assertEquals([foreign.code, foreign.noted], [1, "Run not found"]);
  });

  await t.step("Ctrl-C stops the run", async () => {
    service.model.script(coach.modelName, { steps: [{ hang: true }] });
    const controller = new AbortController();
    const requests = () => service.model.requestsOf(coach.modelName);
    const before = requests().length;
    const running = run([], { signal: controller.signal });
    await eventually(() => requests().length > before, "a test is asked");
    controller.abort();
    const { code, said, noted } = await running;
    assertEquals([code, said], [130, ""]);
    assertMatch(noted, /\nThe run was stopped\.$/);
    const { data } = await operator.rpc("summarize_test_runs", { coach: coach.coachId }).throwOnError();
    assertEquals((data as { status: string }[])[0]!.status, "stopped");
    await service.turns();
    assertEquals(requests().at(-1)!.aborted, true);
  });

  await t.step("so it does in the program", async () => {
    const requests = () => service.model.requestsOf(coach.modelName);
    const before = requests().length;
    const program = new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--frozen", "-A", join(projectRoot, "supabase/commands/admin/admin.ts")].concat(
        ["test", "run", "--coach", coach.coachId],
      ),
      env: { ...env, SECRET_KEY: secretKey },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const output = program.output();
    await eventually(() => requests().length > before, "a test is asked", 60);
    program.kill("SIGINT");
    const { code, stderr } = await output;
    assertEquals([code, new TextDecoder().decode(stderr).trimEnd().split("\n").at(-1)], [130, "The run was stopped."]);
    const { data } = await operator.rpc("summarize_test_runs", { coach: coach.coachId }).throwOnError();
    assertEquals((data as { status: string }[])[0]!.status, "stopped");
    await service.turns();
  });

  await t.step("a run in which nothing could be judged has the exit code 1", async () => {
    const { coachId } = await createTested(service, "Rye.", [{
      question: "Is it kind?",
      expect: { rubric: "Is kind" },
    }]);
    const { code, said } = await runAdmin(["test", "run", "--coach", coachId], { env });
    assertEquals([code, said.split(". ").at(-2)?.split("\n").at(-1)], [1, "0 passed, 0 failed, 1 not judged"]);
  });

  await t.step(
    "coaches without tests, unknown coaches and missing folders are refused before anything runs",
    async () => {
      const { coachId } = await createTenant();
      const rows: [coachId: string, args: string[], code: number, noted: string][] = [
        [coachId, [], 1, "The coach has no tests"],
        ["nobody", [], 1, sentenceOf("coach_not_found")],
        [coach.coachId, ["--junit", "none/report.xml"], 2, "The folder of none/report.xml does not exist."],
      ];
      for (const [id, args, code, noted] of rows) {
        const refused = await runAdmin(["test", "run", "--coach", id, ...args], { env, folder });
        assertEquals([refused.code, refused.noted.split("\n").at(-1)], [code, noted]);
      }
    },
  );
});
