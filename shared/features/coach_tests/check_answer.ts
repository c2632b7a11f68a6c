import type { Source } from "../../core/answers/stored_answer.ts";
import type { TestExpectation, TestOutcome } from "./test_case.ts";

/** An answer to a test. */
export type TestAnswer = { outcome: TestOutcome; text: string; sources: Source[] };

/** The outcomes, as the reasons of a failure name them. */
const outcomes: Record<TestOutcome, string> = {
  answered: "an answer of the model",
  not_known: "the admission that it does not know",
  pinned: "a pinned answer, word for word",
};

/**
 * Compares an answer with what is expected of it, except for the rubric. Texts are compared as promptfoo's `contains`,
 * `contains-any`, `icontains` and `not-contains` do.
 *
 * @returns for each thing that is not so, a sentence
 */
export function checkAnswer(expect: TestExpectation, { outcome, text, sources }: TestAnswer): string[] {
  const reasons: string[] = [];
  if (expect.outcome !== undefined && expect.outcome !== outcome) {
    reasons.push(`Expected ${outcomes[expect.outcome]}, but it is ${outcomes[outcome]}.`);
  }
  for (const wanted of expect.contains ?? []) {
    if (!text.includes(wanted)) reasons.push(`The answer does not contain ${quote(wanted)}.`);
  }
  const alternatives = expect.contains_any ?? [];
  if (alternatives.length > 0 && !alternatives.some((wanted) => text.includes(wanted))) {
    reasons.push(`The answer contains none of ${alternatives.map(quote).join(", ")}.`);
  }
  const lower = text.toLowerCase();
  for (const wanted of expect.icontains ?? []) {
    if (!lower.includes(wanted.toLowerCase())) {
      reasons.push(`The answer does not contain ${quote(wanted)}, in upper or lower case.`);
    }
  }
  for (const unwanted of expect.not_contains ?? []) {
    if (text.includes(unwanted)) reasons.push(`The answer contains ${quote(unwanted)}.`);
  }
  return [...reasons, ...checkSources(expect.sources ?? {}, sources)];
}

function checkSources({ all = [], any = [] }: NonNullable<TestExpectation["sources"]>, sources: Source[]): string[] {
  const files = new Set(sources.flatMap((source) => source.kind === "passage" ? [source.filename] : []));
  const missing = all.filter((name) => !files.has(name)).map((name) => `The answer does not draw on ${quote(name)}.`);
  if (any.length === 0 || any.some((name) => files.has(name))) return missing;
  return [...missing, `The answer draws on none of ${any.map(quote).join(", ")}.`];
}

/** Returns whether anything but the rubric is expected. */
export function hasChecks({ rubric: _, sources, ...expect }: TestExpectation): boolean {
  const values = [...Object.values(expect), ...Object.values(sources ?? {})];
  return values.some((value) => Array.isArray(value) ? value.length > 0 : value !== undefined);
}

const longestQuote = 100;

/** A text on one line in quotation marks, cut where it is long. */
function quote(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return JSON.stringify(line.length <= longestQuote ? line : `${line.slice(0, longestQuote).toWellFormed()}…`);
}
