import { countValues } from "../../shared/api/mcp/count_values.ts";
import { assertEquals } from "../support/assert.ts";

Deno.test("countValues", async (t) => {
  const cases: [json: string, count: number][] = [
    ["", 1],
    ["1", 1],
    ["[]", 2],
    ["[1]", 2],
    ["[1,2,3]", 4],
    ["{}", 2],
    [`{"a":{"b":[]}}`, 4],
    [`"[,{"`, 1],
    [`["[,{","]"]`, 3],
    [String.raw`"\\",`, 2],
    [String.raw`["\\",["\\"]]`, 4],
    [String.raw`"\\\\",`, 2],
    [String.raw`"\",[{`, 1],
    [String.raw`"\\\",[{`, 1],
    [`"never ends,,,`, 1],
    [`{`.repeat(1_000), 1_001],
  ];
  for (const [json, count] of cases) {
    await t.step(`${json.slice(0, 20)} → ${count}`, () => {
      assertEquals(countValues(json), count);
    });
  }

  await t.step("never counts fewer values than a parser finds", () => {
    const countParsed = (value: unknown): number =>
      typeof value !== "object" || value === null
        ? 1
        : 1 + Object.values(value).reduce((sum, part) => sum + countParsed(part), 0);
    const values = [[], {}, [[], []], { a: "\\", 'b"': ['"', '\\"', ","] }, [{ a: [1, 2, { b: null }] }], "x", null];
    for (const value of values) {
      const json = JSON.stringify(value);
      assertEquals(countValues(json) >= countParsed(value), true, json);
    }
  });
});
