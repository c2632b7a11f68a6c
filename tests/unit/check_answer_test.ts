import type { Source } from "../../shared/core/answers/stored_answer.ts";
import { checkAnswer, hasChecks, type TestAnswer } from "../../shared/features/coach_tests/answer_test_case.ts";
import type { TestExpectation } from "../../shared/features/coach_tests/test_case.ts";
import { assertEquals } from "../support/assert.ts";

const passage = (filename: string): Source => ({
  kind: "passage",
  passageId: "0".repeat(32),
  fileId: "f",
  file_id: "f",
  filename,
  source_url: null,
  position: 0,
  page: null,
  heading: null,
  quote: "Coffee",
  score: 1,
});
const pinned: Source = {
  kind: "pinned_answer",
  pinnedAnswerId: crypto.randomUUID(),
  version: 1,
  question: "Fasting.md",
  quote: "Fasting.md",
  isWordForWord: true,
};

const said: TestAnswer = {
  outcome: "answered",
  text: "Fast from 8 pm\nuntil Noon, says a{{b}} “Straße”.",
  sources: [passage("Fasting.md"), pinned],
};

const rows: [expect: TestExpectation, reasons: string[], answer?: Partial<TestAnswer>][] = [
  [{}, []],
  [{ outcome: "answered" }, []],
  [{ outcome: "not_known" }, ["Expected the admission that it does not know, but it is an answer of the model."]],
  [{ outcome: "pinned" }, ["Expected a pinned answer, word for word, but it is the admission that it does not know."], {
    outcome: "not_known",
  }],
  // As in promptfoo, case counts.
  [{ contains: ["8 pm", "Noon", "a{{b}}"] }, []],
  [{ contains: ["noon", "8 pm", "eleven"] }, [
    'The answer does not contain "noon".',
    'The answer does not contain "eleven".',
  ]],
  // White space too, and special characters mean themselves.
  [{ contains: ["8 pm until"] }, ['The answer does not contain "8 pm until".']],
  [{ contains: ["8 pm\nuntil"] }, []],
  [{ contains: [".*"] }, ['The answer does not contain ".*".']],
  [{ contains: ["strasse"] }, ['The answer does not contain "strasse".']],
  [{ contains: ["x"] }, ['The answer does not contain "x".'], { text: "" }],
  [{ contains_any: ["seven", "8 pm"] }, []],
  [{ contains_any: ["seven", "noon"] }, ['The answer contains none of "seven", "noon".']],
  [{ contains_any: [] }, []],
  [{ icontains: ["NOON", "fAST", "STRASSE"] }, ['The answer does not contain "STRASSE", in upper or lower case.']],
  [{ not_contains: ["noon", "eleven"] }, []],
  [{ not_contains: ["Noon", "8"] }, ['The answer contains "Noon".', 'The answer contains "8".']],
  [{ sources: { all: ["Fasting.md"], any: ["Other.md", "Fasting.md"] } }, []],
  [{ sources: { all: ["Fasting.md", "fasting.md"] } }, ['The answer does not draw on "fasting.md".']],
  [{ sources: { any: ["Other.md", "Third.md"] } }, ['The answer draws on none of "Other.md", "Third.md".']],
  // A pinned answer is no file, whatever it says.
  [{ sources: { all: ["Fasting.md"] } }, ['The answer does not draw on "Fasting.md".'], { sources: [pinned] }],
  [{ sources: { all: [], any: [] } }, [], { sources: [] }],
  // The rubric is the judge's.
  [{ rubric: "Says nothing of eight." }, []],
  [{ outcome: "pinned", contains: ["x"], not_contains: ["Fast"], sources: { all: ["y"] } }, [
    "Expected a pinned answer, word for word, but it is an answer of the model.",
    'The answer does not contain "x".',
    'The answer contains "Fast".',
    'The answer does not draw on "y".',
  ]],
];

Deno.test("checkAnswer", async (t) => {
  for (const [expect, reasons, answer] of rows) {
    await t.step(`${JSON.stringify(expect)} of ${JSON.stringify(answer ?? "the answer")}`, () => {
      assertEquals(checkAnswer(expect, { ...said, ...answer }), reasons);
    });
  }
  await t.step("a reason stays on its line, and does not repeat a long text", () => {
    const [reason] = checkAnswer({ contains: [`a\n${"😀".repeat(400)}`] }, said);
    assertEquals(reason!.includes("\n") || reason!.length > 200 || !reason!.isWellFormed(), false, reason);
  });
});

Deno.test("hasChecks: a rubric alone, and empty lists, check nothing", () => {
  const checked = (expect: TestExpectation) => hasChecks(expect);
  assertEquals([{}, { rubric: "Kind." }, { contains: [], sources: { all: [] } }, { sources: {} }].map(checked), [
    ...[false, false, false, false],
  ]);
  assertEquals(
    [{ outcome: "pinned" as const }, { not_contains: ["x"] }, { sources: { any: ["x"] } }].map(checked),
    [true, true, true],
  );
});
