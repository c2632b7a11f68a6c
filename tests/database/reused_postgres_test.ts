import type { PGlite } from "@electric-sql/pglite";
import { assert, assertEquals } from "../support/assert.ts";
import { askForValue, beginTurn, createMigratedPostgres, insertCoach } from "../support/migrated_postgres.ts";
import { slowStep } from "../support/slow.ts";

/** All rows and what numbers the next ones, by table, without the statistics that Postgres keeps for plans. */
async function read(postgres: PGlite): Promise<Record<string, unknown>> {
  const value = askForValue(postgres);
  const tables: string[] = await value(
    `select json_agg(oid::regclass::text order by 1) from pg_class
     where relkind = 'r' and relnamespace in ('public'::regnamespace, 'private'::regnamespace, 'storage'::regnamespace)`,
  );
  const entries = [];
  for (const table of tables) entries.push([table, await value(`select json_agg(r) from ${table} as r`)]);
  return {
    ...Object.fromEntries(entries),
    sequences: await value("select json_object_agg(sequencename, last_value) from pg_sequences"),
    plans: await value("select count(*)::int from pg_statistic"),
    user: await value("select current_user::text"),
    memory: await value("select current_setting('work_mem')"),
  };
}

Deno.test("a Postgres that an earlier test has closed is as new", async (t) => {
  const first = await createMigratedPostgres();
  const asNew = { ...await read(first), plans: 0 };
  const { accountId, coachId } = await insertCoach(first);
  await beginTurn(first, { account_id: accountId, coach_id: coachId });
  await first.exec(`
    update public.model_checks set checked_at = now();
    analyze;
    set work_mem = '1MB';
    begin;
    set role service_role`);
  await first.close();
  const second = await createMigratedPostgres();

  await t.step("its rows, numbers, statistics, role and settings", async () => {
    assert(second === first);
    assertEquals(await read(second), asNew);
  });

  await t.step("while it is in use, others get another", async () => {
    await using third = await createMigratedPostgres();
    assert(third !== second);
  });

  for (
    const [what, change] of [
      ["a column", "alter table public.accounts add note text"],
      ["a function", "create or replace function public.unindex_passages() returns boolean return false"],
      ["a setting of a role", "alter role service_role set work_mem = '1MB'"],
    ] as const
  ) {
    await slowStep(t, `after a change of ${what} it is not used again`, async () => {
      const changed = await createMigratedPostgres();
      await changed.exec(change);
      await changed.close();
      await using next = await createMigratedPostgres();
      assert(next !== changed);
    });
  }
  await second.close();
});
