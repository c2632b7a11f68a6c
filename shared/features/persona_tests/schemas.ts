import * as z from "zod/mini";
import { countCharacters } from "../../base/text/count_characters.ts";
import { isStorableText } from "../../base/text/storable_text.ts";
import { requiredId } from "../../core/wire/fields.ts";
import { uuidPattern } from "../../core/wire/ids.ts";
import { cursorField, limitField } from "../../core/wire/paging.ts";
import { testLimits, testOutcomes } from "./limits.ts";

const coachId = requiredId("coachId", "The coach whose expert makes the request");
const testId = requiredId("testId", "The test: `id` in the list");
const runId = requiredId("runId", "The run: `id` in the list");

/** A page of tests or runs. A cursor is the number of the last one of the page before. */
const page = { limit: limitField, cursor: cursorField(/^\d{1,15}$/) };

/** A text that is not blank. Its white space stays: it may be a part of what is looked for. */
function textField(name: string, most: number) {
  return z.string({ error: ({ input }) => input === undefined ? `${name} is required` : `${name} must be a string` })
    .check(
      z.refine((text) => text.trim() !== "", { error: `${name} must not be blank`, abort: true }),
      z.refine(
        (text) => countCharacters(text) <= most,
        { error: `${name} must be at most ${most.toLocaleString("en")} characters long`, abort: true },
      ),
      z.refine(isStorableText, `${name} must not contain NUL characters or unpaired surrogates`),
      z.meta({ minLength: 1, maxLength: most }),
    );
}

function textList(name: string, items: string) {
  const error = `${name} must be a list of at most ${testLimits.texts} ${items}`;
  return z.optional(
    z.array(textField(`Each of ${name}`, testLimits.textCharacters), error).check(
      z.maxLength(testLimits.texts, error),
    ),
  );
}

const historyError = `history must be a list of at most ${testLimits.history} messages, each with role and content`;

/** The messages before the question. */
const TestHistory = z.array(
  z.strictObject({
    role: z.enum(["user", "assistant"], "role must be user or assistant"),
    content: textField("content", 32_000),
  }, historyError),
  historyError,
).check(
  z.maxLength(testLimits.history, historyError),
  z.refine(
    (history) =>
      history.reduce((sum, { content }) => sum + countCharacters(content), 0) <= testLimits.historyCharacters,
    `The messages of history together must be at most ${
      testLimits.historyCharacters.toLocaleString("en")
    } characters long`,
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
  rubric: z.optional(textField("expect.rubric", testLimits.rubricCharacters)).check(
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

const question = textField("question", 32_000);
const thread = z.nullish(
  z.string("thread_id must be a string").check(z.regex(uuidPattern, "thread_id must be a UUID")),
).check(
  z.describe(
    "The conversation whose words the test has, if any: the test is deleted with it, as when its user is erased",
  ),
);

/** A test case, as files and clients hand it over. */
export const TestCase = z.object({ question, history: z.optional(TestHistory), expect: z.optional(TestExpectation) });
export type TestCase = z.infer<typeof TestCase>;

/** Input of `listTests`. */
export const ListTestsInput = z.object({
  coachId,
  search: z.optional(
    z.string("search must be a string").check(
      z.refine(isStorableText, "search must not contain NUL characters or unpaired surrogates"),
    ),
  ).check(z.describe("Words or parts of words. The question must contain all of them; case is ignored")),
  ...page,
});
export type ListTestsInput = z.infer<typeof ListTestsInput>;

const described = {
  question: "The question, as a person would ask it",
  history: "The messages before it, oldest first: at most 20",
  expect: "What is expected of the answer",
};

/** Input of `createTest`. */
export const CreateTestInput = z.object({
  coachId,
  question: question.check(z.describe(described.question)),
  history: z.optional(TestHistory).check(z.describe(described.history)),
  expect: z.optional(TestExpectation).check(z.describe(described.expect)),
  thread_id: thread,
});
export type CreateTestInput = z.infer<typeof CreateTestInput>;

/** Input of `updateTest`. */
export const UpdateTestInput = z.object({
  coachId,
  testId,
  question: z.optional(question).check(z.describe(described.question)),
  history: z.optional(TestHistory).check(z.describe(`${described.history}. They replace all existing ones`)),
  expect: z.optional(TestExpectation).check(z.describe(`${described.expect}. It replaces all of the existing one`)),
}).check(z.refine(
  ({ question, history, expect }) => [question, history, expect].some((value) => value !== undefined),
  "One of question, history and expect is required",
));
export type UpdateTestInput = z.infer<typeof UpdateTestInput>;

/** Input of `deleteTest`. */
export const DeleteTestInput = z.object({ coachId, testId });
export type DeleteTestInput = z.infer<typeof DeleteTestInput>;

const testsError = `tests must be a list of 1 to ${testLimits.cases} ids of tests`;

/** Input of `startTestRun`. */
export const StartTestRunInput = z.object({
  coachId,
  draft: z.nullish(z.boolean("draft must be true or false")).check(
    z.describe(
      "Asks the persona as it would be if its draft were published: the draft as it is when the run is started; by " +
        "default, the persona as it is",
    ),
  ),
  judge: z.nullish(z.boolean("judge must be true or false")).check(
    z.describe("Whether a language model judges the rubrics; by default, it does not"),
  ),
  tests: z.nullish(
    z.array(z.string(testsError).check(z.regex(uuidPattern, testsError)), testsError).check(
      z.minLength(1, testsError),
      z.maxLength(testLimits.cases, testsError),
    ),
  ).check(z.describe("The tests to run; by default, all of the coach")),
});
export type StartTestRunInput = z.infer<typeof StartTestRunInput>;

/** Input of `listTestRuns`. */
export const ListTestRunsInput = z.object({ coachId, ...page });
export type ListTestRunsInput = z.infer<typeof ListTestRunsInput>;

/** Input of `getTestRun` and `stopTestRun`. */
export const TestRunInput = z.object({ coachId, runId });
export type TestRunInput = z.infer<typeof TestRunInput>;
