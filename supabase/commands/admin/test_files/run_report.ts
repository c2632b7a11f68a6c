import type * as z from "zod/mini";
import type { TestResult, TestRun } from "../../../../shared/features/coach_tests/fields.ts";
import { showHarmlessly } from "../terminal_text.ts";

/** A run with its results, as far as files about it need it. */
export type FinishedRun = Pick<z.infer<typeof TestRun>, "id" | "status" | "newly_failing" | "created_at"> & {
  results: FinishedTest[];
};

/** The result of a test in a run. */
export type FinishedTest = Pick<
  z.infer<typeof TestResult>,
  "test_id" | "question" | "verdict" | "reasons" | "text" | "time_ms"
>;

/** A run for people: what newly fails first, what passes as before only counted. */
export function formatTestRun(
  { id, status, results, newly_failing, newly_passing }: FinishedRun & { newly_passing: string[] },
): string {
  const of = (verdict: FinishedTest["verdict"]) => results.filter((result) => result.verdict === verdict);
  const isNew = ({ test_id }: FinishedTest) => newly_failing.includes(test_id);
  const failed = of("failed");
  const sections = [
    formatSection("Newly failing", failed.filter(isNew)),
    formatSection("Failing as before, or for the first time", failed.filter((result) => !isNew(result))),
    formatSection("Not judged", of("not_judged")),
    formatSection("Newly passing", results.filter(({ test_id }) => newly_passing.includes(test_id))),
  ];
  const counts = [
    `${of("passed").length} passed`,
    `${failed.length} failed${newly_failing.length > 0 ? ` (${newly_failing.length} newly)` : ""}`,
    ...of("not_judged").length > 0 ? [`${of("not_judged").length} not judged`] : [],
  ];
  const stopped = status === "stopped" ? "The run was stopped. " : "";
  return [...sections.filter((section) => section !== ""), `${stopped}${counts.join(", ")}. Run ${id}`].join("\n\n");
}

function formatSection(title: string, results: FinishedTest[]): string {
  if (results.length === 0) return "";
  return [
    `${title}:`,
    ...results.flatMap(({ test_id, question, reasons, verdict }) => [
      `  ${showHarmlessly(question)}  (${test_id})`,
      ...verdict === "passed" ? [] : reasons.map((reason) => `    ${showHarmlessly(reason)}`),
    ]),
  ].join("\n");
}

/** The most characters of a question in the name of a test. */
const mostOfName = 200;

/**
 * Writes a run as JUnit XML, which CI systems read: failed tests are failures, those that were not judged are skipped.
 *
 * @param coach the name of the coach, and its ID
 */
export function writeJunitReport(run: FinishedRun, coach: { id: string; name: string }): string {
  const count = (verdict: FinishedTest["verdict"]) => run.results.filter((each) => each.verdict === verdict).length;
  const counts = {
    tests: run.results.length,
    failures: count("failed"),
    errors: 0,
    skipped: count("not_judged"),
    time: seconds(run.results.reduce((sum, { time_ms }) => sum + time_ms, 0)),
  };
  const isNew = ({ test_id }: FinishedTest) => run.newly_failing.includes(test_id);
  const names = nameTests(run.results);
  const cases = run.results.toSorted((one, other) => Number(isNew(other)) - Number(isNew(one))).map((result) => {
    const attributes = { name: names.get(result.test_id)!, classname: coach.id, time: seconds(result.time_ms) };
    return element("testcase", attributes, describe(result, isNew(result)));
  });
  const suite = { name: coach.name, ...counts, timestamp: run.created_at, id: run.id };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${
    element("testsuites", { name: "Tests of a persona", ...counts }, element("testsuite", suite, cases.join("")))
  }`;
}

function describe({ verdict, reasons, text }: FinishedTest, isNew: boolean): string {
  if (verdict === "passed") return "";
  if (verdict === "not_judged") return element("skipped", { message: reasons.join("\n") }, "");
  const type = isNew ? "newly failing" : "failing as before";
  const body = escape([...reasons, "", "The answer:", text].join("\n"));
  return element("failure", { message: `${isNew ? "Newly failing: " : ""}${reasons.join("\n")}`, type }, body);
}

/** Names tests by their questions. CI systems tell tests apart by name: a question that several ask gets their IDs. */
function nameTests(results: FinishedTest[]): Map<string, string> {
  const names = results.map(({ question }) => {
    const characters = Array.from(question.replaceAll(/\s+/g, " ").trim());
    return characters.length > mostOfName ? `${characters.slice(0, mostOfName - 1).join("")}…` : characters.join("");
  });
  return new Map(results.map(({ test_id }, index) => {
    const name = names[index]!;
    return [test_id, names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (${test_id})`];
  }));
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(3);
}

/** Writes an element on lines of its own. The content is XML already. */
function element(name: string, attributes: Record<string, string | number>, content: string): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeAttribute(String(value))}"`).join(
    "",
  );
  if (content === "") return `<${name}${written}/>\n`;
  const isText = name === "failure";
  return `<${name}${written}>${isText ? "" : "\n"}${content}</${name}>\n`;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;" };
/** Characters that XML cannot have in any form. */
const impossible = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function escape(text: string): string {
  return text.replaceAll(impossible, "\ufffd").replaceAll(/[&<>"\r]/g, (character) => entities[character]!);
}

/** Parsers make spaces of line breaks in attributes. */
function escapeAttribute(text: string): string {
  return escape(text).replaceAll("\t", "&#9;").replaceAll("\n", "&#10;");
}
