import { join } from "node:path";
import { projectRoot } from "../../../supabase/platform/state.ts";
import { readPromptfooCsv, writePromptfooCsv } from "../../../supabase/commands/admin/test_files/promptfoo_csv.ts";
import { type FinishedTest, writeJunitReport } from "../../../supabase/commands/admin/run_tests.ts";
import { checkXml } from "../../../shared/libs/documents/check_xml.ts";
import type { ReadTests } from "../../../supabase/commands/admin/test_files/test_rows.ts";
import {
  readTestJsonl,
  writeRagasJsonl,
  writeTestJsonl,
} from "../../../supabase/commands/admin/test_files/test_jsonl.ts";
import type { TestCase } from "../../../shared/features/coach_tests/test_case.ts";
import { parseCsv } from "../../../shared/libs/base/std/csv.ts";
import { assert, assertEquals } from "../../support/assert.ts";
import { inventTests } from "../../support/invent_tests.ts";

/** Refusals of a file, each as "row: reason". */
function refusalsOf({ faults }: ReadTests): string[] {
  return faults.map(({ row, reason }) => `${row}: ${reason}`);
}

/** The tests of a file without faults. */
function testsOf(read: ReadTests): TestCase[] {
  assertEquals(refusalsOf(read), []);
  return read.tests;
}

Deno.test("promptfoo's CSV is read", async (t) => {
  const expectationOf = (...assertions: string[]) => {
    const columns = assertions.map((_, index) => `__expected${index || ""}`);
    const cells = assertions.map((text) => `"${text.replaceAll('"', '""')}"`);
    const [test] = testsOf(readPromptfooCsv(`question,${columns}\r\nq,${cells}\r\n`));
    return test!.expect;
  };
  await t.step("with each assertion that tests can have", () => {
    const rows: [string[], TestCase["expect"]][] = [
      [["contains: bread"], { contains: ["bread"] }],
      [["contains:bread, butter"], { contains: ["bread, butter"] }],
      [["  contains:  bread  "], { contains: ["bread"] }],
      [["contains: http://a.example/: b"], { contains: ["http://a.example/: b"] }],
      [["contains-all: bread, butter ,,jam"], { contains: ["bread", "butter", "jam"] }],
      [['contains-all: "bread, butter", "a ""b""", "c \\"d\\\\"'], { contains: ["bread, butter", 'a "b"', 'c "d\\'] }],
      [["contains-any: bread,butter"], { contains_any: ["bread", "butter"] }],
      [["icontains: Bread"], { icontains: ["Bread"] }],
      [["icontains-all: Bread,jam"], { icontains: ["Bread", "jam"] }],
      [["not-contains: jam"], { not_contains: ["jam"] }],
      [["not-contains-any: jam,honey"], { not_contains: ["jam", "honey"] }],
      [["llm-rubric: Is kind"], { rubric: "Is kind" }],
      [["grade:Is kind"], { rubric: "Is kind" }],
      [["llm-rubric: Is kind", "llm-rubric: Is short"], { rubric: "Is kind\nIs short" }],
      [["contains: a", "contains-all: b,c", "not-contains: d", "not-contains: e"], {
        contains: ["a", "b", "c"],
        not_contains: ["d", "e"],
      }],
    ];
    for (const [assertions, expect] of rows) assertEquals(expectationOf(...assertions), expect, String(assertions));
  });

  await t.step("with what spreadsheets make of it", () => {
    const rows: [name: string, file: string][] = [
      ["byte order mark, LF", "\ufeffquestion,__expected\nWhy; and how?,contains: a\n"],
      ["CRLF, quotes", 'question,"__expected"\r\n"Why; and how?","contains: a"\r\n'],
      ["semicolons", '\ufeffquestion;__expected\r\n"Why; and how?";contains: a\r\n'],
      ["semicolons and a comma in the header", '"question";"__expected";"a,b,c"\r\n"Why; and how?";contains: a;\r\n'],
      ["its own line for the separator", 'sep=;\r\nquestion;__expected\r\n"Why; and how?";contains: a\r\n'],
      ["tabs", "question\t__expected\nWhy; and how?\tcontains: a"],
      ["spaces around names", "question , __expected\nWhy; and how?,contains: a\n"],
      ["blank rows", "question,__expected\n\n,\nWhy; and how?,contains: a\n\n,,\n"],
    ];
    for (const [name, file] of rows) {
      assertEquals(testsOf(readPromptfooCsv(file)), [{ question: "Why; and how?", expect: { contains: ["a"] } }], name);
    }
  });

  await t.step("with line breaks and quotes in cells", () => {
    const file = 'question,__expected\r\n"Say ""hi"",\r\n\r\nplease.","contains-any: ""a,b"",\nc"\r\n';
    assertEquals(testsOf(readPromptfooCsv(file)), [
      { question: 'Say "hi",\n\nplease.', expect: { contains_any: ["a,b", "c"] } },
    ]);
  });

  await t.step("with our columns, and those of promptfoo that change the question or nothing", () => {
    const file = "question,__prefix,__suffix,__description,__metric,__threshold,__metadata:outcome," +
      "__metadata:sources[],__metadata:sources_any[],__metadata:team,notes,empty,history\r\n" +
      'Why?,Tell me. ,"\nBe kind.",d,m,1,answered,"a.md, b\\,c.md",d.md,x,y,,' +
      '"[{""role"":""user"",""content"":""Hello""}]"\r\n';
    const read = readPromptfooCsv(file);
    assertEquals(testsOf(read), [{
      question: "Tell me. Why?\nBe kind.",
      history: [{ role: "user", content: "Hello" }],
      expect: { outcome: "answered", sources: { all: ["a.md", "b,c.md"], any: ["d.md"] } },
    }]);
    assertEquals(read.unused, ["__description", "__metric", "__metadata:team", "notes"]);
  });
});

Deno.test("the example of the documentation is read", async () => {
  const page = await Deno.readTextFile(join(projectRoot, "supabase/docs/test_files.md"));
  const [, example = ""] = /```csv\n([\s\S]*?)```/.exec(page) ?? [];
  assertEquals(testsOf(readPromptfooCsv(example)), [
    {
      question: "Which flour do I need?",
      expect: {
        contains: ["rye", "spelt"],
        not_contains: ["wheat"],
        outcome: "answered",
        sources: { all: ["Your first loaf.md"] },
      },
    },
    { question: "Who won the match?", expect: { outcome: "not_known" } },
  ]);
});

Deno.test("what is wrong with promptfoo's CSV is told by row", async (t) => {
  await t.step("each bad row is named", () => {
    const file = "question,__expected,__expected1,__metadata:outcome,__providerOutput,history\n" +
      "fine,contains: a\n" +
      "q,bread\n" +
      "q,regex: a.c\n" +
      "q,contains(0.5): a\n" +
      "\n" +
      'q,"not-contains-all: a,b"\n' +
      "q,contains-any: a,contains-any: b\n" +
      'q,"contains-all: ""a"\n' +
      "q,contains: ,\n" +
      'q,"contains-all: , ,",\n' +
      ",contains: a\n" +
      "q,,,maybe\n" +
      "q,,,,said\n" +
      "q,,,,,{\n" +
      "q,,,,,,more\n" +
      `q,contains: ${"a".repeat(1_001)}\n`;
    const use =
      "use contains, contains-all, contains-any, icontains, icontains-all, not-contains, not-contains-any or " +
      "llm-rubric";
    assertEquals(refusalsOf(readPromptfooCsv(file)), [
      `3: __expected has a text to be equal to, which is not supported: ${use}`,
      `4: __expected has regex, which is not supported: ${use}`,
      "5: __expected has contains with a threshold, which is not supported",
      `7: __expected has not-contains-all, which is not supported: ${use}`,
      "8: __expected1 has contains-any twice: a test can have it once",
      "9: __expected contains-all has a quote that does not end before a comma",
      "10: __expected contains has no text",
      "11: __expected contains-all has no text",
      "12: has no question",
      "13: expect.outcome must be answered, not_known or pinned",
      "14: __providerOutput is not supported",
      "15: history is not JSON",
      "16: has more cells than the header",
      "17: Each of expect.contains must be at most 1,000 characters long",
    ]);
  });

  await t.step("so is a file that is no CSV, or has no questions", () => {
    assertEquals(refusalsOf(readPromptfooCsv('question\nq\n"never ends\n')), [
      "3: has a quote that does not end, or one too many",
    ]);
    for (const file of ["", "\n", "input,__expected\nq,contains: a\n", "question,question\na,b\n"]) {
      assertEquals(refusalsOf(readPromptfooCsv(file)), ["1: is not a header with one column question"]);
    }
  });
});

/** Texts that promptfoo would run, load or fill in, and the name that the refusal has. */
const dangers: [text: string, named: string][] = [
  ...["javascript", "fn", "eval", "python", "ruby", "webhook", "exec", "package"].flatMap((
    name,
  ): [string, string][] => [
    [`${name}: output.length < 9`, `${name}:`],
    [`${name.toUpperCase()}:x`, `${name}:`],
    [`  \t${name}(0.5):x`, `${name}:`],
    [`not-${name}:x`, `${name}:`],
    [`Not-${name} (1) : x`, `${name}:`],
    [`\u200b\ufeff${name}:x`, `${name}:`],
  ]),
  ["file:///etc/passwd", "file://"],
  ["  FILE://a.js", "file://"],
  ["see file://a.txt", "file://"],
  ["{{ env.SECRET }}", "{{"],
  ["a {% include 'b' %}", "{%"],
  ["a {# b #}", "{#"],
  ["{{'ab'}}", "{{"],
  ["{{'='}}{{ x }}", "{{"],
];

Deno.test("what promptfoo would run, load or fill in is refused, in any column", async (t) => {
  const columns = [
    "question",
    "__expected",
    "__expected7",
    "__prefix",
    "__suffix",
    "__description",
    "__metric",
    "notes",
    "__metadata:outcome",
    "__metadata:sources[]",
    "__metadata:x",
    "__provider",
    "history",
  ];
  for (const [text, named] of dangers) {
    await t.step(JSON.stringify(text), () => {
      const cell = `"${text.replaceAll('"', '""')}"`;
      for (const column of columns) {
        const file = column === "question" ? `question,n\nfine,\n${cell},\n` : `question,${column}\nfine,\nq,${cell}\n`;
        const [refusal = "", ...others] = refusalsOf(readPromptfooCsv(file));
        assert(
          refusal.startsWith(`3: ${column} `) && refusal.includes(named) && others.length === 0,
          `${column}: ${refusal}`,
        );
      }
      for (const assertion of ["contains:", "contains-all: a,", "contains-any:", "not-contains: ", "llm-rubric: "]) {
        const file = `question,__expected\nq,"${assertion}${text.replaceAll('"', '""')}"\n`;
        const [refusal = ""] = refusalsOf(readPromptfooCsv(file));
        assert(refusal.startsWith("2: __expected ") && refusal.includes(named), `${assertion} ${refusal}`);
      }
    });
  }

  await t.step("and in each text of JSONL", () => {
    for (const [text, named] of dangers) {
      const tests = [
        { question: text },
        { question: "q", history: [{ role: "user", content: text }] },
        { question: "q", expect: { contains: ["a", text] } },
        { question: "q", expect: { sources: { any: [text] } } },
        { question: "q", expect: { rubric: text } },
      ];
      const file = ['{"question":"fine"}', "", ...tests.map((test) => JSON.stringify(test))].join("\n");
      const refusals = refusalsOf(readTestJsonl(file));
      assertEquals(refusals.map((refusal) => refusal.split(":")[0]), ["3", "4", "5", "6", "7"]);
      for (const refusal of refusals) assert(refusal.includes(named), refusal);
    }
  });

  await t.step("but not what only looks like it", () => {
    const harmless = ["Is javascript: a language?", "eval", "What is {a}?", "profile: / /", "{ % }", "Fnord: x"];
    const file = `question\n${harmless.map((text) => `"${text}"`).join("\n")}\n`;
    assertEquals(testsOf(readPromptfooCsv(file)).map(({ question }) => question), harmless);
  });
});

Deno.test("what is written is read as it was", async (t) => {
  for (const seed of [1, 2, 3, 4]) {
    await t.step(`with hostile texts ${seed}`, () => {
      const tests = inventTests(250, seed);
      assertEquals(testsOf(readPromptfooCsv(writePromptfooCsv(tests))), tests);
      assertEquals(testsOf(readTestJsonl(writeTestJsonl(tests))), tests);
    });
  }
  await t.step("with all limits reached", () => {
    const texts = Array.from({ length: 20 }, (_, index) => `${index},`.padEnd(1_000, '"'));
    const tests = [{
      question: "{".repeat(32_000),
      history: Array.from({ length: 20 }, () => ({ role: "assistant" as const, content: "=".repeat(5_000) })),
      expect: { contains: texts, sources: { all: texts, any: texts }, rubric: "-".repeat(4_000) },
    }];
    assertEquals(testsOf(readPromptfooCsv(writePromptfooCsv(tests))), tests);
    assertEquals(testsOf(readTestJsonl(writeTestJsonl(tests))), tests);
  });
  await t.step("without tests", () => {
    assertEquals(writePromptfooCsv([]), "question,__expected,__metadata:outcome,__metadata:sources[]\r\n");
    assertEquals(testsOf(readPromptfooCsv(writePromptfooCsv([]))), []);
    assertEquals(testsOf(readTestJsonl(writeTestJsonl([]))), []);
  });
});

Deno.test("what is written is neither computed nor filled in", async (t) => {
  await t.step("a plain test looks as in promptfoo's documentation", () => {
    const csv = writePromptfooCsv([
      { question: 'Which flour, and "why"?', expect: { contains: ["rye", "spelt"], not_contains: ["a, b"] } },
      { question: "Why?", expect: { outcome: "not_known", icontains: ["Ask"], sources: { all: ["a, b.md", "c.md"] } } },
      { question: "How?", expect: { contains_any: ["a, b", "c"], rubric: "Is kind" } },
    ]);
    assertEquals(csv.split("\r\n"), [
      "question,__expected1,__expected2,__metadata:outcome,__metadata:sources[]",
      '"Which flour, and ""why""?","contains-all: rye, spelt","not-contains: a, b",,',
      'Why?,icontains: Ask,,not_known,"a\\, b.md,c.md"',
      'How?,"contains-any: ""a, b"", c",llm-rubric: Is kind,,',
      "",
    ]);
  });
  await t.step("formulas, templates and files are written as templates of one character", () => {
    const rows: [text: string, csv: string][] = [
      ["=1+1", "{{'='}}1+1"],
      ["+1", "{{'+'}}1"],
      ["-1", "{{'-'}}1"],
      ["@a", "{{'@'}}a"],
      ["\t=a", "{{'\\t'}}{{'='}}a"],
      ["\ra", "{{'\\r'}}a"],
      ["a;=b", "a;{{'='}}b"],
      ["a=b", "a=b"],
      ["a {{ b }}", "a {{'{'}}{ b }}"],
      ["{% a %}", "{{'{'}}% a %}"],
      ["{# a #}", "{{'{'}}# a {{'#'}}}"],
      ["{\t", "{{'{'}}{{'\\t'}}"],
      ["a file://b", "a {{'f'}}ile://b"],
      [" FN: a", "{{' '}}{{'F'}}N: a"],
    ];
    for (const [text, written] of rows) {
      assertEquals(writePromptfooCsv([{ question: text }]).split("\r\n")[1], `${written},,,`.replace(/^(.*");/, "$1;"));
    }
  });
  await t.step("no cell begins like a formula, whatever separator a spreadsheet expects", () => {
    const csv = writePromptfooCsv(inventTests(500, 5));
    assert(!/file:\/\//i.test(csv));
    const cells = parseCsv(csv, { separator: "," }).flat();
    // A spreadsheet that expects semicolons or tabs may begin a cell at any of them, whatever quotes there are.
    for (const cell of [...cells, ...csv.split(/[;\t\n]/)]) assert(!/^[\s\p{Cf}"']*[=+\-@＝＋－＠]/u.test(cell), cell);
  });
});

Deno.test("JSONL is read line by line", () => {
  const file = "\ufeff" + [
    '{"question":"Why?","expect":{"contains":["a"]}}\r',
    "",
    '{"id":"x","thread_id":null,"created_at":"","updated_at":"","question":"How?","history":[]}',
    "{",
    "[]",
    '{"vars":{"question":"q"},"assert":[{"type":"javascript","value":"1"}]}',
    '{"expect":{}}',
    '{"question":"q","expect":{"equals":"a"}}',
  ].join("\n");
  const read = readTestJsonl(file);
  assertEquals(read.tests, [{ question: "Why?", expect: { contains: ["a"] } }, { question: "How?", history: [] }]);
  assertEquals(refusalsOf(read), [
    "4: is not JSON",
    "5: is not a JSON object",
    '6: has "vars", which tests do not have',
    "7: question is required",
    "8: expect has no field equals",
  ]);
});

Deno.test("Ragas' samples have the question, the answer, the passages and a reference", () => {
  const written = writeRagasJsonl([
    {
      test: { question: "Why?", reference: null, expect: { contains: ["a", "b"], icontains: ["C"] } },
      text: "Because {{a}}.",
      contexts: ["one", "=two"],
    },
    {
      test: {
        question: "And then?",
        history: [{ role: "user", content: "Hi" }, { role: "assistant", content: "Hello" }],
        expect: { rubric: "Is kind", contains: ["a"] },
      },
      text: "",
      contexts: [],
    },
    { test: { question: "How?" }, text: "So.", contexts: [] },
    { test: { question: "When?", reference: "At dawn.", expect: { rubric: "Kind" } }, text: "Now.", contexts: [] },
  ]);
  assertEquals(written.trimEnd().split("\n").map((line) => JSON.parse(line)), [
    { user_input: "Why?", response: "Because {{a}}.", retrieved_contexts: ["one", "=two"], reference: "a\nb\nC" },
    {
      user_input: "Human: Hi\nAI: Hello\nHuman: And then?",
      response: "",
      retrieved_contexts: [],
      reference: "Is kind",
    },
    { user_input: "How?", response: "So.", retrieved_contexts: [], reference: null },
    { user_input: "When?", response: "Now.", retrieved_contexts: [], reference: "At dawn." },
  ]);
});

Deno.test("JUnit XML of a run", async (t) => {
  const result = {
    test_id: "1",
    question: "Why?",
    verdict: "passed" as const,
    reasons: [],
    text: "So.",
    time_ms: 1_234,
  };
  const results: FinishedTest[] = [
    result,
    {
      ...result,
      test_id: "2",
      verdict: "failed",
      reasons: ['Does not contain "<b>".', "And more."],
      text: "A & B\n\u0000\ud800]]>",
    },
    { ...result, test_id: "3", question: 'How\n"much"?', verdict: "failed", reasons: ["Is not so."], time_ms: 1 },
    { ...result, test_id: "4", question: "🍞".repeat(300), verdict: "not_judged", reasons: ["The model failed."] },
  ];
  const run = { id: "r", status: "done" as const, created_at: "2026-11-26T10:00:00Z", newly_failing: ["3"], results };
  const xml = writeJunitReport(run, { id: "baker", name: "Ben & Co" });

  await t.step("is well-formed, whatever is in the texts", () => {
    assertEquals(checkXml(xml.replace(/^<\?.*\?>\n/, ""), { maxMarks: 1_000 }), 47);
  });
  await t.step("has a case for each test, with what newly fails on top", () => {
    const counts = 'tests="4" failures="2" errors="0" skipped="1" time="3.703"';
    assertEquals(xml.split("\n"), [
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<testsuites name="Tests of a persona" ${counts}>`,
      `<testsuite name="Ben &amp; Co" ${counts} timestamp="2026-11-26T10:00:00Z" id="r">`,
      '<testcase name="How &quot;much&quot;?" classname="baker" time="0.001">',
      '<failure message="Newly failing: Is not so." type="newly failing">Is not so.',
      "",
      "The answer:",
      "So.</failure>",
      "</testcase>",
      '<testcase name="Why? (1)" classname="baker" time="1.234"/>',
      '<testcase name="Why? (2)" classname="baker" time="1.234">',
      '<failure message="Does not contain &quot;&lt;b&gt;&quot;.&#10;And more." type="failing as before">' +
      "Does not contain &quot;&lt;b&gt;&quot;.",
      "And more.",
      "",
      "The answer:",
      "A &amp; B",
      "\ufffd\ufffd]]&gt;</failure>",
      "</testcase>",
      `<testcase name="${"🍞".repeat(199)}…" classname="baker" time="1.234">`,
      '<skipped message="The model failed."/>',
      "</testcase>",
      "</testsuite>",
      "</testsuites>",
      "",
    ]);
  });
});
