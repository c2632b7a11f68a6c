import { isolate } from "../../../isolate.ts";
import type { Plural } from "../../texts/texts.ts";
import type { Schemas } from "../desk.ts";
import { fill, plural, t } from "../texts.ts";
import { withoutNumbers } from "../parts/sources.ts";

/** A test as it is written down. */
type TestBody = Pick<Schemas["PersonaTest"], "question" | "history" | "expect" | "reference">;

type Expectations = TestBody["expect"];
type Outcome = NonNullable<Expectations["outcome"]>;

/** A message that was said before the question. */
export type EarlierMessage = TestBody["history"][number];

/** The fields of the form for a test. */
export type TestFields = {
  question: string;
  /** The answer that the expert would give; empty for none. */
  reference: string;
  history: EarlierMessage[];
  /** Empty if any outcome will do. */
  outcome: Outcome | "";
  /** Texts that the answer has to contain, in upper or lower case. */
  contains: string[];
  /** Texts that the answer has to contain, spelled like this. */
  containsExactly: string[];
  /** Texts of which the answer has to contain one. */
  containsAny: string[];
  notContains: string[];
  /** Names of files that all have to be among the sources. */
  allOf: string[];
  /** Names of files of which one has to be among the sources. */
  anyOf: string[];
  rubric: string;
  /** The conversation whose words a new test has; null for none. */
  threadId: string | null;
};

/** The fields of a test that says nothing yet. */
export const emptyFields: TestFields = {
  question: "",
  reference: "",
  history: [],
  outcome: "",
  contains: [],
  containsExactly: [],
  containsAny: [],
  notContains: [],
  allOf: [],
  anyOf: [],
  rubric: "",
  threadId: null,
};

/** The outcomes, in the order in which they are offered. */
export const outcomes: [Outcome, name: () => string][] = [
  ["answered", () => t.tests.outcomeAnswered],
  ["not_known", () => t.tests.outcomeNotKnown],
  ["pinned", () => t.tests.outcomePinned],
];

/** The largest number of messages before a question. */
export const maxHistory = 20;
/** The largest number of characters of what the judge is to check. */
export const maxRubric = 4_000;

/** The largest number of characters of the answer that the expert would give. */
export const maxReference = 10_000;

/** Reads the fields of a stored test. */
export function readFields({ question, reference, history, expect }: TestBody): TestFields {
  return {
    question,
    reference: reference ?? "",
    history,
    outcome: expect.outcome ?? "",
    contains: expect.icontains ?? [],
    containsExactly: expect.contains ?? [],
    containsAny: expect.contains_any ?? [],
    notContains: expect.not_contains ?? [],
    allOf: expect.sources?.all ?? [],
    anyOf: expect.sources?.any ?? [],
    rubric: expect.rubric ?? "",
    threadId: null,
  };
}

/** Writes fields as a test, without those that are empty. */
export function writeBody({ question, reference, history, allOf, anyOf, ...fields }: TestFields): TestBody {
  const unlessEmpty = (texts: string[]) => {
    const filled = texts.filter(isFilled);
    return filled.length > 0 ? filled : undefined;
  };
  const [all, any] = [unlessEmpty(allOf), unlessEmpty(anyOf)];
  return {
    question: question.trim(),
    reference: reference.trim() || null,
    history: history.filter(({ content }) => isFilled(content)),
    expect: {
      outcome: fields.outcome || undefined,
      icontains: unlessEmpty(fields.contains),
      contains: unlessEmpty(fields.containsExactly),
      contains_any: unlessEmpty(fields.containsAny),
      not_contains: unlessEmpty(fields.notContains),
      sources: all || any ? { all, any } : undefined,
      rubric: fields.rubric.trim() || undefined,
    },
  };
}

/** Returns true if a test checks something. */
export function checksSomething({ reference, expect }: Pick<TestBody, "reference" | "expect">): boolean {
  return reference !== null || demandsMore(expect);
}

/** Returns true if a test demands more than an answer like the expert's own. */
export function demandsMore(expect: TestBody["expect"]): boolean {
  return Object.values(expect).some((value) => value !== undefined);
}

/** Describes in short phrases what a test expects of an answer. */
export function describeExpectations(test: TestBody): string[] {
  const fields = readFields(test);
  const { reference, outcome, allOf, anyOf, rubric, notContains } = fields;
  const contains = [...fields.contains, ...fields.containsExactly];
  const { containsAny } = fields;
  return [
    reference !== "" && fill(t.tests.says, { text: isolate(shorten(reference)) }),
    outcome === "answered" && t.tests.expectsAnswer,
    outcome === "not_known" && t.tests.expectsNotKnown,
    outcome === "pinned" && t.tests.expectsPinned,
    describeTexts(contains, t.tests.expectsContains, t.tests.expectsContainsSome),
    describeTexts(containsAny, t.tests.expectsContains, t.tests.expectsContainsAny),
    describeTexts(notContains, t.tests.expectsNotContains, t.tests.expectsNotContainsSome),
    describeTexts(allOf, t.tests.expectsFile, t.tests.expectsFiles),
    describeTexts(anyOf, t.tests.expectsFile, t.tests.expectsFilesAny),
    rubric !== "" && fill(t.tests.forJudge, { text: isolate(shorten(rubric)) }),
  ].filter((phrase) => phrase !== false);
}

/** Names a text that stands alone, and counts several. */
function describeTexts(texts: string[], one: string, several: Plural): string | false {
  if (texts.length === 1) return fill(one, { text: isolate(shorten(texts[0]!)) });
  return texts.length > 1 && plural(several, texts.length);
}

function isFilled(text: string): boolean {
  return text.trim() !== "";
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

type Message = Schemas["Message"];

/**
 * Makes a test of an answer in a conversation, with what was said before it.
 *
 * @param asked the question that the message answers
 * @param earlier the messages before that question
 */
export function fieldsOfMessage(message: Message, asked: string, earlier: Message[]): TestFields {
  const history = earlier.filter(({ content }) => content.trim() !== "").slice(-maxHistory)
    .map(({ role, content }) => ({ role, content }));
  const { content, sources = [], thread_id: threadId } = message;
  return { ...emptyFields, question: asked, reference: cut(withoutNumbers(content, sources)), history, threadId };
}

/** Makes a test of a pinned answer: its question, and the expert's words. */
export function fieldsOfPinned({ question, answer }: Pick<Schemas["PinnedAnswer"], "question" | "answer">): TestFields {
  return { ...emptyFields, question, reference: cut(answer) };
}

function cut(words: string): string {
  return words.slice(0, maxReference).toWellFormed();
}
