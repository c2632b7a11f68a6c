import { sortResults } from "../../shared/clients/page/desk/tests/sort_results.ts";
import { assertEquals } from "../support/assert.ts";

type Run = Parameters<typeof sortResults>[0];

Deno.test("results of a test run are shown by what the expert must look at first", () => {
  const results = ["passed", "not_judged", "passed", "failed", "failed"].map((verdict, i) => ({
    test_id: String(i),
    verdict,
  }));
  const run = { results, newly_failing: ["4"], newly_passing: ["2"] } as unknown as Run;
  const shown = sortResults(run).map(({ kind, results }) => [kind, results.map(({ test_id }) => test_id)]);
  assertEquals(shown, [
    ["newly_failing", ["4"]],
    ["newly_passing", ["2"]],
    ["failed", ["3"]],
    ["not_judged", ["1"]],
    ["passed", ["0"]],
  ]);
  assertEquals(sortResults({ ...run, results: [] }), []);
});
