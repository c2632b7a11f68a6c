import { assertEquals } from "../support/assert.ts";
import { askForValue, beginTurn, createMigratedPostgres, insertCoach } from "../support/migrated_postgres.ts";

Deno.test("who has asked a coach on which day", async (t) => {
  await using postgres = await createMigratedPostgres();
  const value = askForValue(postgres);
  const { accountId, coachId } = await insertCoach(postgres);
  const other = await insertCoach(postgres);
  const ask = (account: string, coach: string, user: string) =>
    beginTurn(postgres, { account_id: account, coach_id: coach, user_id: user, thread_id: null });
  const people = async () => {
    await postgres.exec("select private.fold_ledger()");
    return await value(
      "select json_agg(coach_id || ' ' || user_id || ' ' || (now() at time zone 'utc')::date - day order by 1) " +
        "from (select * from private.people_of_days order by 1, 2, 3) as person",
    );
  };

  await t.step("somebody counts once a day with each coach", async () => {
    for (let turn = 0; turn < 3; turn++) await ask(accountId, coachId, "u");
    await ask(other.accountId, other.coachId, "u");
    await ask(accountId, coachId, "v");
    assertEquals(new Set(await people()), new Set([`${coachId} u 0`, `${coachId} v 0`, `${other.coachId} u 0`]));
  });

  await t.step("an export shows the days of a user, those in another account left out", async () => {
    const { days } = await value("select export_user($1, 'u')", [accountId]);
    assertEquals(days, [{ coach_id: coachId, day: await value("select (now() at time zone 'utc')::date::text") }]);
    assertEquals((await value("select export_user($1, 'w')", [accountId])).days, []);
  });

  await t.step("erasing a user forgets them, but nobody else, nor the same name in another account", async () => {
    await value("select erase_user($1, 'u')", [accountId]);
    assertEquals(new Set(await people()), new Set([`${coachId} v 0`, `${other.coachId} u 0`]));
  });

  await t.step("a sweep forgets what is older than 400 days", async () => {
    await postgres.exec("update private.people_of_days set day = (now() at time zone 'utc')::date - 400");
    await value("select take_indexing_work()");
    assertEquals(new Set(await people()), new Set([`${coachId} v 400`, `${other.coachId} u 400`]));
    await postgres.exec("update private.people_of_days set day = day - 1 where user_id = 'u'");
    await value("select take_indexing_work()");
    assertEquals(await people(), [`${coachId} v 400`]);
  });

  await t.step("a coach that gets another id keeps its people, and one that goes takes them along", async () => {
    await postgres.query("update coach_profiles set id = 'renamed' where id = $1", [coachId]);
    assertEquals(await people(), ["renamed v 400"]);
    await postgres.exec(
      "delete from threads where coach_id = 'renamed'; delete from coach_profiles where id = 'renamed'",
    );
    assertEquals(await people(), null);
  });
});
