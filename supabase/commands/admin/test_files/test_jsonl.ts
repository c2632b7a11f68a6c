import { fieldsOf, readJson } from "../../../../shared/libs/base/fields_of.ts";
import type { TestCase } from "../../../../shared/features/coach_tests/test_case.ts";
import { findDanger, readPlainText, writePlainText } from "./plain_text.ts";
import { readRows, type ReadTests, requireTest, RowError } from "./test_rows.ts";

const fields = ["question", "history", "expect", "reference"];
/** Fields of a test in the replies of the API that another test does not get. */
const ofOtherTest = ["id", "thread_id", "created_at", "updated_at"];

/** Reads tests, a JSON object a line: `question`, and `history`, `expect` and `reference` as in the API. */
export function readTestJsonl(file: string): ReadTests {
  const lines = file.replace(/^\ufeff/, "").split("\n").map((line, index): [number, string] => [index + 1, line])
    .filter(([, line]) => line.trim() !== "");
  return { ...readRows(lines, readLine), unused: [] };
}

function readLine(line: string): TestCase {
  const given = parseObject(line);
  const unknown = Object.keys(given).find((name) => ![...fields, ...ofOtherTest].includes(name));
  if (unknown !== undefined) throw new RowError(`has ${JSON.stringify(unknown)}, which tests do not have`);
  return requireTest(Object.fromEntries(
    fields.filter((name) => given[name] !== undefined).map((name) => [
      name,
      mapTexts(given[name], (text) => {
        const danger = findDanger(text);
        if (danger !== null) throw new RowError(`${name} ${danger}`);
        return readPlainText(text);
      }),
    ]),
  ));
}

function parseObject(line: string): Record<string, unknown> {
  const value = readJson(line);
  if (value === undefined) throw new RowError("is not JSON");
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new RowError("is not a JSON object");
  return fieldsOf(value);
}

/** Writes tests, a JSON object a line. Reading them gives the same tests. */
export function writeTestJsonl(tests: TestCase[]): string {
  return tests.map(({ question, history = [], expect = {}, reference }) => {
    const test = { question, ...history.length === 0 ? {} : { history }, expect, reference: reference ?? undefined };
    return `${JSON.stringify(mapTexts(test, writePlainText))}\n`;
  }).join("");
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === "string") return map(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, map));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapTexts(each, map)]));
}

/** A test with its answer in a run, and the texts of the passages that the model was given for it. */
export type AnsweredTest = { test: TestCase; text: string; contexts: string[] };

/**
 * Writes the answers of a run as the single-turn samples of Ragas, a JSON object a line. What was said before a question
 * is put in front of it, in Ragas' own form. A test without a reference has its rubric as such, or else the texts that an
 * answer must contain.
 */
export function writeRagasJsonl(answered: AnsweredTest[]): string {
  return answered.map(({ test, text, contexts }) =>
    `${
      JSON.stringify({
        user_input: writeConversation(test),
        response: text,
        retrieved_contexts: contexts,
        reference: writeReference(test),
      })
    }\n`
  ).join("");
}

function writeConversation({ question, history = [] }: TestCase): string {
  if (history.length === 0) return question;
  return [...history, { role: "user", content: question }]
    .map(({ role, content }) => `${role === "user" ? "Human" : "AI"}: ${content}`).join("\n");
}

function writeReference(
  { reference, expect: { rubric, contains = [], icontains = [], contains_any = [] } = {} }: TestCase,
): string | null {
  const texts = [...contains, ...icontains, ...contains_any.slice(0, 1)];
  return reference ?? rubric ?? (texts.length > 0 ? texts.join("\n") : null);
}
