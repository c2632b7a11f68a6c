/**
 * How much a run of the tests does: `quick` (`npm test`), `all` (`npm run test:all`), which includes it, or `night`
 * (`npm run test:night`), which is everything.
 */
export type Level = "quick" | "all" | "night";

const level = Deno.env.get("TEST_LEVEL") ?? "quick";

/**
 * The options of a slow test: `npm run test:all` runs it, `npm test` leaves it out and says so. A quick test must cover
 * the same promise there.
 */
export const slow = { ignore: level === "quick" };

/** The options of a test that runs at night alone. A test of `npm run test:all` must cover the same promise. */
export const nightly = { ignore: level !== "night" };

/** A slow step; see {@link slow}. */
export function slowStep(
  t: Deno.TestContext,
  name: string,
  fn: (t: Deno.TestContext) => void | Promise<void>,
): Promise<boolean> {
  return t.step({ name, ...slow, fn });
}

/** A step that runs at night alone; see {@link nightly}. */
export function nightlyStep(
  t: Deno.TestContext,
  name: string,
  fn: (t: Deno.TestContext) => void | Promise<void>,
): Promise<boolean> {
  return t.step({ name, ...nightly, fn });
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
 * Combinations of which any one is enough, such as language, width and color scheme: all of them at night, else one.
 * Another commit has another one; `TEST_ROTATION`, which each run prints, repeats that of an earlier run.
 *
 * @param salt what is tested with them, so that not everything is tested with the same one
 */
export function onceARun<Row>(rows: readonly Row[], { salt }: { salt: string }): Row[] {
  if (rows.length === 0) throw new TypeError(`There is no combination for ${salt}`);
  if (!nightly.ignore) return [...rows];
  const offset = [...salt].reduce((sum, character) => (sum * 31 + character.codePointAt(0)!) % 1_000_003, 0);
  return [rows[(readRotation() + offset) % rows.length]!];
}

/**
 * Deals places out to combinations, in turn: each place is visited with one of them, at night with all. Another commit
 * begins with another one, as with {@link onceARun}; every combination has a place if there are enough.
 *
 * @returns the combinations that have places
 */
export function dealOut<Row, Place>(rows: readonly Row[], places: readonly Place[]): [Row, Place[]][] {
  const rotation = readRotation();
  const dealt = rows.map((row, at): [Row, Place[]] => [
    row,
    places.filter((_, index) => !nightly.ignore || (rotation + index) % rows.length === at),
  ]);
  return dealt.filter(([, places]) => places.length > 0);
}

function readRotation(): number {
  const rotation = Number(Deno.env.get("TEST_ROTATION") || "0");
  if (!Number.isSafeInteger(rotation) || rotation < 0) {
    throw new TypeError(`TEST_ROTATION is a whole number from 0, not ${Deno.env.get("TEST_ROTATION")}`);
  }
  return rotation;
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
