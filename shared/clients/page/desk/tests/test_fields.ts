import type { Schemas } from "../desk.ts";
import { count } from "../format.ts";

/** A test as it is written down. */
export type TestBody = Pick<Schemas["PersonaTest"], "question" | "history" | "expect">;

type Expectations = TestBody["expect"];
type Outcome = NonNullable<Expectations["outcome"]>;

/** A message that was said before the question. */
export type EarlierMessage = TestBody["history"][number];

/** The fields of the form for a test. */
export type TestFields = {
  question: string;
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
export const outcomes: [Outcome, string][] = [
  ["answered", "It answers the question"],
  ["not_known", "It says that it does not know"],
  ["pinned", "It gives your pinned answer, word for word"],
];

/** The largest number of messages before a question. */
export const maxHistory = 20;
/** The largest number of characters of what the judge is to check. */
export const maxRubric = 4_000;

/** Reads the fields of a stored test. */
export function readFields({ question, history, expect }: TestBody): TestFields {
  return {
    question,
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
export function writeBody({ question, history, allOf, anyOf, ...fields }: TestFields): TestBody {
  const unlessEmpty = (texts: string[]) => {
    const filled = texts.filter(isFilled);
    return filled.length > 0 ? filled : undefined;
  };
  const [all, any] = [unlessEmpty(allOf), unlessEmpty(anyOf)];
  return {
    question: question.trim(),
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
export function checksSomething({ expect }: TestBody): boolean {
  return Object.values(expect).some((value) => value !== undefined);
}

/** Describes in short phrases what a test expects of an answer. */
export function describeExpectations(test: TestBody): string[] {
  const fields = readFields(test);
  const { outcome, allOf, anyOf, rubric, notContains } = fields;
  const contains = [...fields.contains, ...fields.containsExactly];
  const { containsAny } = fields;
  const quote = (texts: string[]) => texts.length === 1 ? `“${shorten(texts[0]!)}”` : count(texts.length, "text");
  const name = (files: string[]) => files.length === 1 ? files[0]! : count(files.length, "file");
  const oneOf = (texts: string[]) => texts.length === 1 ? "" : "one of ";
  return [
    outcome === "answered" && "answers",
    outcome === "not_known" && "does not know",
    outcome === "pinned" && "gives your pinned answer",
    contains.length > 0 && `contains ${quote(contains)}`,
    containsAny.length > 0 && `contains ${oneOf(containsAny)}${quote(containsAny)}`,
    notContains.length > 0 && `does not contain ${quote(notContains)}`,
    allOf.length > 0 && `draws on ${name(allOf)}`,
    anyOf.length > 0 && `draws on ${oneOf(anyOf)}${name(anyOf)}`,
    rubric !== "" && `for the judge: “${shorten(rubric)}”`,
  ].filter((phrase) => phrase !== false);
}

function isFilled(text: string): boolean {
  return text.trim() !== "";
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
