import { isTooComplex, measureJson } from "../../shared/http/measure_json.ts";
import { assertEquals } from "../support/assert.ts";

Deno.test("the values of a JSON text", async (t) => {
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
      assertEquals(measureJson(json).values, count);
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
      assertEquals(measureJson(json).values >= countParsed(value), true, json);
    }
  });

  await t.step("their depth, of which there can be too much", () => {
    const depths = { "1": 0, "[]": 1, '[{"a":[]},[[]]]': 3, '"[["': 0, '[[],[],"[[["]': 2 };
    for (const [json, depth] of Object.entries(depths)) assertEquals(measureJson(json).depth, depth, json);
    const nest = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    assertEquals([nest(200), nest(201), `[${"0,".repeat(99_998)}0]`, `[${"0,".repeat(100_000)}0]`].map(isTooComplex), [
      false,
      true,
      false,
      true,
    ]);
  });
});
