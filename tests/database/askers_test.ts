import { calendarOf } from "../../shared/core/wire/calendar.ts";
import { assertEquals } from "../support/assert.ts";
import { askForValue, beginTurn, createMigratedPostgres, insertCoach } from "../support/migrated_postgres.ts";

Deno.test("who has asked a coach, and when", async (t) => {
  await using postgres = await createMigratedPostgres();
  const value = askForValue(postgres);
  const { accountId, coachId } = await insertCoach(postgres);
  const other = await insertCoach(postgres);
  const ask = (account: string, coach: string, user: string) =>
    beginTurn(postgres, { account_id: account, coach_id: coach, user_id: user, thread_id: null });
  const people = async () => {
    await postgres.exec("select private.fold_ledger()");
    return await value(
      "select json_agg(coach_id || ' ' || user_id || ' ' || (now() at time zone 'utc')::date - (at at time zone 'utc')::date " +
        "order by coach_id, user_id) from private.askers",
    );
  };

  await t.step("somebody counts once in a quarter of an hour with each coach", async () => {
    for (let turn = 0; turn < 3; turn++) await ask(accountId, coachId, "u");
    await ask(other.accountId, other.coachId, "u");
    await ask(accountId, coachId, "v");
    assertEquals(new Set(await people()), new Set([`${coachId} u 0`, `${coachId} v 0`, `${other.coachId} u 0`]));
  });

  await t.step("an export shows when a user asked, without what was in another account", async () => {
    const { asked } = await value("select export_user($1, 'u')", [accountId]);
    assertEquals(new Set(asked.map(({ coach_id }: { coach_id: string }) => coach_id)), new Set([coachId]));
    assertEquals(new Date(asked[0].at).getTime() % (15 * 60_000), 0);
    assertEquals((await value("select export_user($1, 'w')", [accountId])).asked, []);
    await ask(accountId, coachId, "just now");
    assertEquals((await value("select export_user($1, 'just now')", [accountId])).asked.length, 1);
  });

  await t.step("erasing a user forgets them, but nobody else, nor the same name in another account", async () => {
    await ask(accountId, coachId, "w");
    for (const user of ["u", "w", "just now"]) await value("select erase_user($1, $2)", [accountId, user]);
    assertEquals(new Set(await people()), new Set([`${coachId} v 0`, `${other.coachId} u 0`]));
  });

  await t.step("a sweep forgets what is older than 400 days", async () => {
    await postgres.exec("update private.askers set at = now() - interval '399 days'");
    await value("select take_indexing_work()");
    assertEquals(new Set(await people()), new Set([`${coachId} v 399`, `${other.coachId} u 399`]));
    await postgres.exec("update private.askers set at = at - interval '1 day' where user_id = 'u'");
    await value("select take_indexing_work()");
    assertEquals(await people(), [`${coachId} v 399`]);
  });

  await t.step("a coach that gets another id keeps its people, and one that goes takes them along", async () => {
    await postgres.query("update coach_profiles set id = 'renamed' where id = $1", [coachId]);
    assertEquals(await people(), ["renamed v 399"]);
    await postgres.exec(
      "delete from threads where coach_id = 'renamed'; delete from coach_profiles where id = 'renamed'",
    );
    // What is left of an account that was deleted stops nobody's counts.
    await postgres.exec(
      "insert into private.ledger (account_id, coach_id, user_id, turns) values (gen_random_uuid(), 'gone', 'u', 1)",
    );
    assertEquals(await people(), null);
  });
});

Deno.test("days begin when they begin in a time zone", async (t) => {
  await using postgres = await createMigratedPostgres();
  const value = askForValue(postgres);
  const { accountId, coachId } = await insertCoach(postgres);
  const caller = { account_id: accountId };
  const times = [
    "2026-03-28T18:00Z",
    "2026-03-28T18:15Z",
    "2026-03-28T22:45Z",
    "2026-03-28T23:00Z",
    "2026-03-29T21:45Z",
  ];
  await postgres.query(
    `insert into private.ledger (account_id, coach_id, user_id, turns, answers, at)
     select $1, $2, user_id, 1, 1, at::timestamptz + interval '14 minutes'
     from unnest($3::text[]) as at cross join unnest(array['u', 'v']) as user_id`,
    [accountId, coachId, times],
  );
  const read = (zone: string, from = "2026-03-28", days = 3) =>
    value("select read_coach_usage($1, $2, $3, $4)", [
      caller,
      coachId,
      from,
      calendarOf(zone).midnightsFrom(from, days),
    ]);
  type Day = { day: string; turns: number; people: number };
  const turnsOf = async (zone: string) => (await read(zone)).data.map(({ turns }: Day) => turns);

  await t.step("what was used counts on the day that it was there, to the quarter of an hour", async () => {
    assertEquals(await turnsOf("UTC"), [8, 2, 0]);
    // The clocks are changed in the night: at 22:00 UTC, it is midnight.
    assertEquals(await turnsOf("Europe/Berlin"), [6, 4, 0]);
    assertEquals(await turnsOf("Asia/Kathmandu"), [2, 6, 2]);
    assertEquals(await turnsOf("America/New_York"), [8, 2, 0]);
    // The clocks go forward at midnight, which is left out, east and west of UTC.
    const beginOf = (day: string, zone: string) => calendarOf(zone).midnightsFrom(day, 0)[0];
    assertEquals(beginOf("2026-04-24", "Africa/Cairo"), "2026-04-23T22:00:00.000Z");
    assertEquals(beginOf("2026-09-06", "America/Santiago"), "2026-09-06T04:00:00.000Z");
    assertEquals(beginOf("2026-09-07", "America/Santiago"), "2026-09-07T03:00:00.000Z");
  });

  await t.step("a person counts once a day, and once in all", async () => {
    const { data, totals } = await read("Asia/Kathmandu");
    assertEquals([data.map(({ people }: Day) => people), totals.people, totals.turns], [[2, 2, 2], 2, 10]);
  });

  await t.step("a period has what it has of each zone, and weeks do", async () => {
    assertEquals((await read("Europe/Berlin", "2026-03-29", 1)).totals.turns, 4);
    const week = (zone: string) => {
      const midnights = calendarOf(zone).midnightsFrom("2026-03-29", 7);
      return value(
        "select private.describe_week(coach, '2026-03-29', $2, $3) from coach_profiles as coach where id = $1",
        [
          coachId,
          midnights[0],
          midnights[7],
        ],
      );
    };
    assertEquals([(await week("UTC")).answers, (await week("Asia/Kathmandu")).answers], [2, 8]);
  });
});
