import type { Schemas } from "../desk.ts";

type Run = Schemas["TestRun"];
type Result = Schemas["TestResult"];

/** Results that belong together, with a title. */
export type ResultGroup = { title: string; results: Result[] };

/** The title of the group that is to be looked at first. */
export const newlyFailing = "Newly failing";

const titles: Record<Result["verdict"], string> = { failed: "Failed", not_judged: "Not judged", passed: "Passed" };

const order = [newlyFailing, "Newly passing", titles.failed, titles.not_judged, titles.passed];

/** Sorts the results of a run into groups, with what newly fails on top. Empty groups are left out. */
export function sortResults({ results, newly_failing, newly_passing }: Run): ResultGroup[] {
  const [failing, passing] = [new Set(newly_failing), new Set(newly_passing)];
  const groups = Map.groupBy(results, ({ test_id, verdict }) => {
    if (failing.has(test_id)) return newlyFailing;
    return passing.has(test_id) ? "Newly passing" : titles[verdict];
  });
  return order.flatMap((title) => {
    const found = groups.get(title);
    return found === undefined ? [] : [{ title, results: found }];
  });
}
