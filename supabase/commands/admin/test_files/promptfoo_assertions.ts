import type { TestExpectation } from "../../../../shared/features/persona_tests/schemas.ts";
import { findDanger, readPlainText, trimText, writeCellText } from "./plain_text.ts";
import { RowError } from "./test_rows.ts";

type Texts = "contains" | "contains_any" | "icontains" | "not_contains";
type Name = { field: Texts; isList: boolean };

/** Assertions of promptfoo, and the field of an expectation that means the same. */
const names: Record<string, Name> = {
  "contains": { field: "contains", isList: false },
  "contains-all": { field: "contains", isList: true },
  "contains-any": { field: "contains_any", isList: true },
  "icontains": { field: "icontains", isList: false },
  "icontains-all": { field: "icontains", isList: true },
  "not-contains": { field: "not_contains", isList: false },
  // None of them, which is what not_contains means.
  "not-contains-any": { field: "not_contains", isList: true },
};
const rubricNames = ["llm-rubric", "grade"];
const supported = `use ${Object.keys(names).join(", ")} or llm-rubric`;

/** The assertions that each field is written as, for one text and for several. */
const writtenAs: [field: Texts, one: string, several: string][] = [
  ["contains", "contains", "contains-all"],
  ["contains_any", "contains-any", "contains-any"],
  ["icontains", "icontains", "icontains-all"],
  ["not_contains", "not-contains", "not-contains-any"],
];

/**
 * Adds an assertion of promptfoo, such as `contains-all: bread, butter`, to an expectation.
 *
 * @throws {RowError} if a test cannot expect it.
 */
export function addAssertion(expect: TestExpectation, assertion: string): void {
  const { name, value } = splitAssertion(assertion);
  if (rubricNames.includes(name)) {
    const rubric = readValue(name, value);
    expect.rubric = expect.rubric === undefined ? rubric : `${expect.rubric}\n${rubric}`;
    return;
  }
  const { field, isList } = names[name]!;
  const texts = isList ? readList(name, value) : [readValue(name, value)];
  if (field === "contains_any" && expect.contains_any !== undefined) {
    throw new RowError("has contains-any twice: a test can have it once");
  }
  expect[field] = [...expect[field] ?? [], ...texts];
}

/** Writes an expectation as assertions of promptfoo. Outcome and sources are not of the text, and are left out. */
export function writeAssertions(expect: TestExpectation): string[] {
  const assertions = writtenAs.flatMap(([field, one, several]) => {
    const texts = expect[field] ?? [];
    const isList = names[one]!.isList || texts.length > 1;
    if (texts.length === 0) return [];
    const written = texts.map(writeCellText);
    return isList ? `${several}: ${written.map(quoteEntry).join(", ")}` : `${one}: ${written[0]}`;
  });
  return expect.rubric === undefined ? assertions : [...assertions, `llm-rubric: ${writeCellText(expect.rubric)}`];
}

function splitAssertion(assertion: string): { name: string; value: string } {
  const [, name, threshold, value = ""] = /^([a-z][a-z0-9-]*)\s*(\([^)]*\))?:([\s\S]*)$/i.exec(assertion) ?? [];
  const isKnown = name !== undefined && threshold === undefined &&
    [...Object.keys(names), ...rubricNames].includes(name);
  if (isKnown) return { name, value };
  const danger = findDanger(assertion);
  if (danger !== null) throw new RowError(danger);
  if (name === undefined) throw new RowError(`has a text to be equal to, which is not supported: ${supported}`);
  throw new RowError(
    threshold === undefined
      ? `has ${name}, which is not supported: ${supported}`
      : `has ${name} with a threshold, which is not supported`,
  );
}

function readList(name: string, value: string): string[] {
  const entries = splitEntries(value);
  if (entries === null) throw new RowError(`${name} has a quote that does not end before a comma`);
  if (entries.length === 0) throw new RowError(`${name} has no text`);
  return entries.map((entry) => readText(name, entry));
}

function readValue(name: string, value: string): string {
  return readText(name, trimText(value));
}

function readText(name: string, text: string): string {
  const danger = findDanger(text);
  if (danger !== null) throw new RowError(`${name} ${danger}`);
  const read = readPlainText(text);
  if (read.trim() === "") throw new RowError(`${name} has no text`);
  return read;
}

/** Commas, and the white space that is trimmed. */
const betweenEntries = /^(?:[^\S\u2028\u2029]|,)+/;

/**
 * Splits a list as promptfoo does: entries may be in quotes, in which `\"` and `""` are a quote and `\\` a backslash.
 *
 * @returns null if a quote does not end.
 */
function splitEntries(list: string): string[] | null {
  const entries: string[] = [];
  let rest = list.replace(betweenEntries, "");
  while (rest !== "") {
    const [all, quoted, bare] = /^"((?:\\["\\]|""|[^"\\]|\\(?!["\\]))*)"\s*(?=,|$)|^([^",][^,]*)/.exec(rest) ?? [];
    if (all === undefined) return null;
    entries.push(quoted?.replaceAll(/\\(["\\])|"(")/g, "$1$2") ?? trimText(bare!));
    rest = rest.slice(all.length).replace(betweenEntries, "");
  }
  return entries;
}

function quoteEntry(entry: string): string {
  return /[",]/.test(entry) ? `"${entry.replaceAll(/["\\]/g, "\\$&")}"` : entry;
}
