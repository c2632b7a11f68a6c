/**
 * The options of a test that takes long: `npm run test:all` runs it, `npm test` leaves it out and says so. Something
 * quick has to stand for it there.
 */
export const slow = { ignore: Deno.env.get("TEST_ALL") !== "1" };

/** A step that takes long, as {@link slow} says. */
export function slowStep(
  t: Deno.TestContext,
  name: string,
  fn: (t: Deno.TestContext) => void | Promise<void>,
): Promise<boolean> {
  return t.step({ name, ...slow, fn });
}

/**
 * A step for each row of a table that takes long as a whole. `npm test` runs the rows that stand for the others, and
 * leaves those out.
 *
 * @param quick the names of these rows
 */
export async function stepEach<Row>(
  t: Deno.TestContext,
  rows: [name: string, row: Row][],
  { quick, run }: { quick: string[]; run: (row: Row) => void | Promise<void> },
): Promise<void> {
  const unknown = quick.filter((name) => !rows.some(([each]) => each === name));
  if (unknown.length > 0) throw new TypeError(`The table has no row ${unknown.join(", ")}`);
  for (const [name, row] of rows) {
    await t.step({ name, ignore: slow.ignore && !quick.includes(name), fn: () => run(row) });
  }
}
