/**
 * The options of a slow test: `npm run test:all` runs it, `npm test` leaves it out and says so. A quick test must cover
 * the same promise there.
 */
export const slow = { ignore: Deno.env.get("TEST_ALL") !== "1" };

/** A slow step; see {@link slow}. */
export function slowStep(
  t: Deno.TestContext,
  name: string,
  fn: (t: Deno.TestContext) => void | Promise<void>,
): Promise<boolean> {
  return t.step({ name, ...slow, fn });
}

/**
 * The options of tests that are alike: `npm test` runs the first of each kind, `npm run test:all` all of them.
 */
export function firstOfEachKind(): (kind: string) => Pick<Deno.TestDefinition, "ignore"> {
  const seen = new Set<string>();
  return (kind) => {
    const isFirst = !seen.has(kind);
    seen.add(kind);
    return { ignore: slow.ignore && !isFirst };
  };
}

/**
 * A step for each row of a table that is slow as a whole. `npm test` runs only the rows in `quick`, which represent the
 * others.
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
