import { assertEquals } from "../support/assert.ts";
import { askForValue, createMigratedPostgres, insertCoach } from "../support/migrated_postgres.ts";

Deno.test("acts are kept for a year", async () => {
  await using postgres = await createMigratedPostgres();
  const value = askForValue(postgres);
  const { accountId } = await insertCoach(postgres);
  await value("select issue_api_key($1, 'A')", [accountId]);
  const kinds = () =>
    value("select json_agg(act->>'kind') from json_array_elements(list_account_acts($1)) as act", [accountId]);
  const all = await kinds();
  await value("update private.acts set created_at = now() - interval '1 year' + interval '1 hour'");
  await value("select take_indexing_work()");
  assertEquals(await kinds(), all);
  await value("update private.acts set created_at = created_at - interval '2 hours' where kind = 'key.issued'");
  await value("select take_indexing_work()");
  assertEquals(await kinds(), all.filter((kind: string) => kind !== "key.issued"));
});

Deno.test("a coach shows nothing of one that had its ID in another account", async () => {
  await using postgres = await createMigratedPostgres();
  const value = askForValue(postgres);
  const [{ coachId }, { accountId }] = [await insertCoach(postgres), await insertCoach(postgres)];
  await postgres.query("delete from coach_profiles where id = $1", [coachId]);
  await value("select create_coach($1, 'Bo', 'Coach', 'Teach.', id => $2)", [accountId, coachId]);
  const { data } = await value("select list_acts($1, null, $2)", [{ account_id: accountId }, coachId]);
  assertEquals(data.map(({ kind }: { kind: string }) => kind), ["coach.created"]);
});
