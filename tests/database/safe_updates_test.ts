import { assertEquals } from "../support/assert.ts";
import { createMigratedPostgres } from "../support/migrated_postgres.ts";

/**
 * The statements of a function that change a whole table. The platform loads safeupdate for PostgREST's sessions, and it
 * refuses them in functions as well; the embedded Postgres does not have it.
 */
function unboundedOf(body: string): string[] {
  const code = body.replace(/--.*/g, "").replace(/'(?:[^']|'')*'/g, "''").replace(/\s+/g, " ");
  return [...code.matchAll(/(?<!\b(?:for|key|do|on|or|before|after) )\b(?:update (?:only )?[\w.]+ |delete from )/gi)]
    .map(({ index }) => statementAt(code, index)).filter((statement) => !/\bwhere\b/i.test(statement));
}

/** From an index to the end of the statement, or of the parentheses around it. */
function statementAt(code: string, start: number): string {
  let depth = 0;
  for (let end = start; end < code.length; end++) {
    depth += code[end] === "(" ? 1 : code[end] === ")" ? -1 : 0;
    if (depth < 0 || code[end] === ";") return code.slice(start, end);
  }
  return code.slice(start);
}

Deno.test("no function changes or deletes all rows of a table", async (t) => {
  await t.step("what would be one is recognized", () => {
    const judged: [string, number][] = [
      ["begin update threads set title = ''; end", 1],
      ["with gone as (delete from private.mails returning id) select 1 where true", 1],
      ["update threads set title = 'x' -- where\n;", 1],
      ["update threads set title = ' where '", 1],
      ["update only threads set title = '' where id = 1; delete from mails where id = 2", 0],
      ["insert into a values (1) on conflict do update set b = 1; select 1 for no key update", 0],
    ];
    for (const [body, count] of judged) assertEquals(unboundedOf(body).length, count, body);
  });

  await t.step("none of the migrations' functions is", async () => {
    const postgres = await createMigratedPostgres();
    const { rows } = await postgres.query<{ name: string; body: string }>(
      `select oid::regprocedure::text as name, pg_get_functiondef(oid) as body from pg_proc
       where pronamespace in ('public'::regnamespace, 'private'::regnamespace) and prokind = 'f'`,
    );
    assertEquals(rows.length > 100, true);
    assertEquals(rows.map(({ name, body }) => [name, ...unboundedOf(body)]).filter(({ length }) => length > 1), []);
    await postgres.close();
  });
});

Deno.test("no function raises what PostgREST repeats for ever: a failure to serialize, or a deadlock", async () => {
  await using postgres = await createMigratedPostgres();
  const { rows } = await postgres.query(
    `select oid::regprocedure::text as name from pg_proc
     where pronamespace in ('public'::regnamespace, 'private'::regnamespace)
       and prosrc ~ '40001|40P01|serialization_failure|deadlock_detected'`,
  );
  assertEquals(rows, []);
});
