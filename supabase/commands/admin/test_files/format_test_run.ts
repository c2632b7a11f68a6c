import { showHarmlessly } from "../show_harmlessly.ts";
import type { FinishedRun, FinishedTest } from "./finished_run.ts";

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
