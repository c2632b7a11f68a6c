import { join } from "node:path";
import { assert, assertEquals, assertMatch } from "../../support/assert.ts";
import { inventTests } from "../../support/invent_tests.ts";
import { createTenant, operator } from "../../support/project.ts";
import { runAdmin } from "./run_admin.ts";

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
    assertEquals([run.code, run.said], [0, "Imported 1 tests. 1 were there already."], run.noted);
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
      "Nothing was imported: 2 of the rows cannot be used.",
    ]);
    const rows = Array.from({ length: 501 }, (_, index) => JSON.stringify({ question: `${index}?` }));
    await write("many.jsonl", rows.join("\n"));
    const many = await test("import", "many.jsonl");
    assertEquals([many.code, many.noted.split("\n").at(-1)], [1, "A coach can have at most 500 tests"]);
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
    assertEquals([unknown.code, unknown.noted.split("\n").at(-1)], [1, "Coach not found"]);
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
