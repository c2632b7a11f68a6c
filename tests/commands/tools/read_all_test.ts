import { readAll, readAllByOffset } from "../../../supabase/commands/admin/read_rows.ts";
import { assertEquals } from "../../support/assert.ts";

/** A query of the client library, answered from what it was asked. */
function query<Row>(answer: (asked: { after?: string; from?: number }) => Row[]) {
  const asked: { after?: string; from?: number } = {};
  const self = {
    order: () => self,
    limit: () => self,
    eq: () => self,
    gt: (_: string, after: unknown) => Object.assign(asked, { after }) && self,
    range: (from: number) => Object.assign(asked, { from }) && self,
    throwOnError: () => Promise.resolve({ data: answer(asked) }),
  };
  return self;
}

Deno.test("all rows are read, wherever a project cuts its replies", async (t) => {
  const row = (id: string, second: number) => ({ id, created_at: new Date(second * 1_000).toISOString() });
  const rows = [row("a", 3), row("b", 1), row("c", 2), row("d", 2)];

  await t.step("by id, returned oldest first", async () => {
    const read = await readAll(() => query(({ after = "" }) => rows.filter(({ id }) => id > after).slice(0, 2)));
    assertEquals(read.map(({ id }) => id), ["b", "c", "d", "a"]);
  });

  await t.step("by offset; a row that moves onto the next page is returned once", async () => {
    const names = ["b", "c", "d"];
    const asked: number[] = [];
    const read = await readAllByOffset(() =>
      query(({ from = NaN }) => {
        asked.push(from);
        const data = names.slice(from, from + 2);
        // A new row is inserted before those that were read.
        if (from === 0) names.unshift("a");
        return data;
      }), (name) => name);
    assertEquals([read, asked], [["b", "c", "d"], [0, 2, 4]]);
  });
});
