import * as z from "zod/mini";
import { countCharacters, withCommas } from "../../libs/base/text.ts";
import { exactTextField } from "../../core/wire/fields.ts";

/** The most test cases of a coach. SQL `check_test_count` has the same. */
export const mostTests = 500;

/** Limits of a test case. SQL `is_test_case` has the same. */
const testLimits = {
  /** Messages before the question. */
  history: 20,
  /** Characters of these messages together. */
  historyCharacters: 100_000,
  /** Texts or file names in each list of an expectation. */
  texts: 20,
  /** Characters of each of these. */
  textCharacters: 1_000,
  rubricCharacters: 4_000,
  /** Characters of a reference: those of an answer that are kept. */
  referenceCharacters: 10_000,
};

/** The kinds of answers: written by the model, the admission that the persona does not know, or a pinned answer. */
export const testOutcomes = ["answered", "not_known", "pinned"] as const;
export type TestOutcome = typeof testOutcomes[number];

/** White space stays: it may be a part of what is looked for. */
function textList(name: string, items: string) {
  const error = `${name} must be a list of at most ${testLimits.texts} ${items}`;
  return z.optional(
    z.array(exactTextField(`Each of ${name}`, testLimits.textCharacters), error).check(
      z.maxLength(testLimits.texts, error),
    ),
  );
}

const historyError = `history must be a list of at most ${testLimits.history} messages, each with role and content`;

/** The messages before the question. */
export const historyField = z.array(
  z.strictObject({
    role: z.enum(["user", "assistant"], "role must be user or assistant"),
    content: exactTextField("content", 32_000),
  }, historyError),
  historyError,
).check(
  z.maxLength(testLimits.history, historyError),
  z.refine(
    (history) =>
      history.reduce((sum, { content }) => sum + countCharacters(content), 0) <= testLimits.historyCharacters,
    `The messages of history together must be at most ${withCommas(testLimits.historyCharacters)} characters long`,
  ),
);

const sourceFields = {
  all: textList("expect.sources.all", "file names"),
  any: textList("expect.sources.any", "file names"),
};
const sourcesDescription = "Names of files that the answer must draw on: `all` of them, and at least one of `any`";

const expectationFields = {
  outcome: z.optional(z.enum(testOutcomes, "expect.outcome must be answered, not_known or pinned")).check(
    z.describe(
      "What kind of answer it is: `answered` by the model, `not_known` where the persona says that it does not know " +
        "and asks its expert, or `pinned`: a pinned answer, word for word",
    ),
  ),
  contains: textList("expect.contains", "texts").check(
    z.describe("Texts that the answer must contain, each of them; upper and lower case count"),
  ),
  contains_any: textList("expect.contains_any", "texts").check(
    z.describe("Texts of which the answer must contain at least one; upper and lower case count"),
  ),
  icontains: textList("expect.icontains", "texts").check(
    z.describe("Texts that the answer must contain, each of them, in upper or lower case"),
  ),
  not_contains: textList("expect.not_contains", "texts").check(
    z.describe("Texts that the answer must not contain; upper and lower case count"),
  ),
  rubric: z.optional(exactTextField("expect.rubric", testLimits.rubricCharacters)).check(
    z.describe("What a good answer says, in words. Judged by a language model, in runs with `judge` alone"),
  ),
};

/** The expectations of an answer. Everything that they name has to be so. */
export const TestExpectation = z.strictObject({
  ...expectationFields,
  sources: z.optional(z.strictObject(sourceFields, "expect.sources must be an object with all or any")).check(
    z.describe(sourcesDescription),
  ),
}, {
  error: (issue) =>
    issue.code === "unrecognized_keys" ? `expect has no field ${issue.keys.join(", ")}` : "expect must be an object",
});
export type TestExpectation = z.infer<typeof TestExpectation>;

/** The same in a reply. */
export const ShownExpectation = z.object({
  ...expectationFields,
  sources: z.optional(z.object(sourceFields)).check(z.describe(sourcesDescription)),
});

/** The question of a test. */
export const questionField = exactTextField("question", 32_000);

/** The answer that the expert would give. */
export const referenceField = exactTextField("reference", testLimits.referenceCharacters);

/** A test case, as files and clients hand it over. */
export const TestCase = z.object({
  question: questionField,
  history: z.optional(historyField),
  expect: z.optional(TestExpectation),
  reference: z.nullish(referenceField),
});
export type TestCase = z.infer<typeof TestCase>;

/** The descriptions of the fields of a test, in inputs. */
export const described = {
  question: "The question, as a person would ask it",
  history: "The messages before it, oldest first: at most 20",
  expect: "What is expected of the answer",
  reference:
    "The answer that the expert would give. With the question alone, it is a whole test. A language model compares the " +
    "answer with it, in runs with `judge`; without it, the test is `not_judged`",
};
