import type { TestCase, TestExpectation } from "../../../../shared/features/coach_tests/test_case.ts";
import { readJson } from "../../../../shared/libs/base/fields_of.ts";
import { stringifyCsv } from "../../../../shared/libs/base/std/csv.ts";
import { readCsv, rowOf } from "../../../../shared/libs/base/read_csv.ts";
import { findDanger, readPlainText, trimText, writeCellText, writeEntryText } from "./plain_text.ts";
import { readRows, type ReadTests, requireTest, RowError } from "./test_rows.ts";

const ours = {
  outcome: "__metadata:outcome",
  all: "__metadata:sources[]",
  any: "__metadata:sources_any[]",
  reference: "__metadata:reference",
};
/** Columns of promptfoo that change nothing of what is asked and expected. */
const harmless = /^__(?:description|metric|metadata(?::.*)?)$/;

/**
 * Reads promptfoo's CSV: `question`, `__expected`, `__expected1` and so on, and `__prefix` and `__suffix`, which
 * promptfoo puts around the question. Ours are `history` (JSON), `__metadata:outcome`, `__metadata:sources[]`,
 * `__metadata:sources_any[]` and `__metadata:reference`.
 */
export function readPromptfooCsv(file: string): ReadTests {
  let rows: string[][];
  try {
    rows = readCsv(file);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return refuseFile(rowOf(error), "has a quote that does not end, or one too many");
  }
  const [header = [], ...body] = rows;
  const columns = header.map((name) => name.trim());
  if (columns.filter((name) => name === "question").length !== 1) {
    return refuseFile(1, "is not a header with one column question");
  }
  const filled = body.map((cells, index): [number, string[]] => [index + 2, cells])
    .filter(([, cells]) => cells.some(isFilled));
  const unused = columns.filter((name, index) => !isRead(name) && filled.some(([, cells]) => isFilled(cells[index])));
  return { ...readRows(filled, (cells) => readRow(columns, cells)), unused };
}

function refuseFile(row: number, reason: string): ReadTests {
  return { tests: [], faults: [{ row, reason }], unused: [] };
}

function isFilled(cell = ""): boolean {
  return cell.trim() !== "";
}

function isRead(column: string): boolean {
  return ["question", "history", ...Object.values(ours)].includes(column) ||
    column.startsWith("__") && !harmless.test(column);
}

function readRow(columns: string[], cells: string[]): TestCase {
  if (cells.slice(columns.length).some(isFilled)) throw new RowError("has more cells than the header");
  const expect: TestExpectation = {};
  const asked = { prefix: "", question: "", suffix: "" };
  let history: unknown;
  let reference: string | undefined;
  for (const [index, column] of columns.entries()) {
    const cell = cells[index] ?? "";
    if (!isFilled(cell)) continue;
    if (column.startsWith("__expected")) {
      addAssertionOf(column, expect, trimText(cell));
      continue;
    }
    const name = column || `column ${index + 1}`;
    const danger = findDanger(cell);
    if (danger !== null) throw new RowError(`${name} ${danger}`);
    const text = readPlainText(cell);
    if (column === "question") asked.question = text;
    else if (column === "__prefix") asked.prefix = text;
    else if (column === "__suffix") asked.suffix = text;
    else if (column === "history") {
      history = readJson(text);
      if (history === undefined) throw new RowError("history is not JSON");
    } else if (column === ours.reference) reference = text;
    else if (column === ours.outcome) expect.outcome = text.trim() as TestExpectation["outcome"];
    else if (column === ours.all) expect.sources = { ...expect.sources, all: readEntries(cell) };
    else if (column === ours.any) expect.sources = { ...expect.sources, any: readEntries(cell) };
    // All assertions have to hold, which is what a threshold of 1 says.
    else if (isRead(column) && !(column === "__threshold" && Number(cell) === 1)) {
      throw new RowError(`${name} is not supported`);
    }
  }
  if (asked.question === "") throw new RowError("has no question");
  const question = asked.prefix + asked.question + asked.suffix;
  return requireTest({
    question,
    ...history === undefined ? {} : { history },
    expect,
    ...reference === undefined ? {} : { reference },
  });
}

/** Splits a list as promptfoo does: at commas, except those after a backslash. */
function readEntries(cell: string): string[] {
  return cell.split(/(?<!\\),/).map((entry) => readPlainText(trimText(entry).replaceAll("\\,", ",")));
}

function addAssertionOf(column: string, expect: TestExpectation, assertion: string): void {
  try {
    addAssertion(expect, assertion);
  } catch (error) {
    throw error instanceof RowError ? new RowError(`${column} ${error.message}`) : error;
  }
}

/** Writes tests as promptfoo's CSV. Reading it gives the same tests. */
export function writePromptfooCsv(tests: TestCase[]): string {
  const rows = tests.map(({ question, history = [], expect = {}, reference }) => ({
    question: writeCellText(question),
    history: history.length === 0 ? "" : writeCellText(JSON.stringify(history)),
    assertions: writeAssertions(expect),
    outcome: expect.outcome ?? "",
    all: (expect.sources?.all ?? []).map(writeEntryText).join(","),
    any: (expect.sources?.any ?? []).map(writeEntryText).join(","),
    reference: writeCellText(reference ?? ""),
  }));
  const most = Math.max(1, ...rows.map(({ assertions }) => assertions.length));
  const numbers = Array.from({ length: most }, (_, index) => index);
  const hasHistory = rows.some(({ history }) => history !== "");
  const hasAny = rows.some(({ any }) => any !== "");
  const hasReference = rows.some(({ reference }) => reference !== "");
  return stringifyCsv([
    [
      "question",
      ...hasHistory ? ["history"] : [],
      ...numbers.map((number) => most === 1 ? "__expected" : `__expected${number + 1}`),
      ours.outcome,
      ours.all,
      ...hasAny ? [ours.any] : [],
      ...hasReference ? [ours.reference] : [],
    ],
    ...rows.map(({ question, history, assertions, outcome, all, any, reference }) => [
      question,
      ...hasHistory ? [history] : [],
      ...numbers.map((number) => assertions[number] ?? ""),
      outcome,
      all,
      ...hasAny ? [any] : [],
      ...hasReference ? [reference] : [],
    ]),
  ]);
}

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

/** Adds an assertion of promptfoo, `contains-all: a, b`. @throws {RowError} if a test cannot expect it */
function addAssertion(expect: TestExpectation, assertion: string): void {
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
function writeAssertions(expect: TestExpectation): string[] {
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
