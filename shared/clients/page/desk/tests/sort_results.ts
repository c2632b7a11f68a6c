import type { Schemas } from "../desk.ts";

type Run = Schemas["TestRun"];
type Result = Schemas["TestResult"];

const order = ["newly_failing", "newly_passing", "failed", "not_judged", "passed"] as const;

/** Results that belong together. */
export type ResultGroup = { kind: typeof order[number]; results: Result[] };

/** Sorts the results of a run into groups, with what newly fails on top. Empty groups are left out. */
export function sortResults({ results, newly_failing, newly_passing }: Run): ResultGroup[] {
  const [failing, passing] = [new Set(newly_failing), new Set(newly_passing)];
  const groups = Map.groupBy(results, ({ test_id, verdict }) => {
    if (failing.has(test_id)) return "newly_failing";
    return passing.has(test_id) ? "newly_passing" : verdict;
  });
  return order.flatMap((kind) => {
    const found = groups.get(kind);
    return found === undefined ? [] : [{ kind, results: found }];
  });
}
