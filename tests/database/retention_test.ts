import { assertEquals } from "../support/assert.ts";
import { askForValue, beginTurn, createMigratedPostgres, insertCoach } from "../support/migrated_postgres.ts";

/** An account that keeps its threads for 90 days, and what the steps do with it. */
async function prepare() {
  const postgres = await createMigratedPostgres();
  const value = askForValue(postgres);
  const { accountId, coachId } = await insertCoach(postgres);
  const setRetention = (days: number | null, account = accountId) =>
    value("select set_retention($1, $2)", [account, days]);
  /** What a sweep does. */
  const erase = async () => {
    await value("update accounts set retention_due_at = now() - interval '1 second'");
    while (await value("select to_json(erase_untouched_threads())"));
  };
  /** Dates a thread back with all that was said in it. */
  const age = async (threadId: string, days: number) => {
    await value("update messages set created_at = created_at - $2 * interval '1 day' where thread_id = $1", [
      threadId,
      days,
    ]);
    await value("update threads set updated_at = updated_at - $2 * interval '1 day' where id = $1", [threadId, days]);
  };
  const begin = (turn: Record<string, unknown> = {}) =>
    beginTurn(postgres, { account_id: accountId, coach_id: coachId, ...turn });
  const end = (messageId: string, more: Record<string, unknown> = {}) =>
    value("select save_turns($1)", [JSON.stringify([
      { message_id: messageId, run_id: messageId, status: "complete", content: "A", ...more },
    ])]);
  /** A thread with a turn that has ended. */
  const talk = async (turn: Record<string, unknown> = {}): Promise<{ thread_id: string; message_id: string }> => {
    const begun = await begin(turn);
    await end(begun.message_id, { response_id: `of ${begun.message_id}` });
    return begun;
  };
  const isKept = (threadId: string) => value("select exists (select from threads where id = $1)", [threadId]);
  const countThreads = (account: string) =>
    value("select count(*)::integer from threads where account_id = $1", [account]);
  return {
    postgres,
    value,
    accountId,
    coachId,
    setRetention,
    erase,
    age,
    begin,
    talk,
    isKept,
    countThreads,
    [Symbol.asyncDispose]: () => postgres.close(),
  };
}

Deno.test("which threads are erased", async (t) => {
  await using prepared = await prepare();
  const { postgres, value, setRetention, erase, age, begin, talk, isKept } = prepared;

  await t.step("none, however old, unless the account wants it, or does not any more", async () => {
    const { thread_id } = await talk();
    await age(thread_id, 10_000);
    await erase();
    await setRetention(90);
    assertEquals(await setRetention(null), { account_id: prepared.accountId, retention_days: null, threads: 0 });
    await erase();
    assertEquals(await isKept(thread_id), true);
  });

  await t.step("with the setting, the number of older threads is told, and an hour passes before they go", async () => {
    assertEquals((await setRetention(90)).threads, 1);
    assertEquals(await value("select to_json(private.has_due_retention())"), false);
    assertEquals(await value("select to_json(erase_untouched_threads())"), false);
    assertEquals((await setRetention(90)).threads, 1);
    await erase();
    assertEquals((await setRetention(90)).threads, 0);
  });

  const cases: Record<string, [isKept: boolean, days: number, change?: string]> = {
    "the last message is 89 days old": [true, 89],
    "the last message is 91 days old": [false, 91],
    "a message of the expert is newer": [
      true,
      91,
      `insert into messages (thread_id, role, content, is_by_expert)
      values ($1, 'assistant', 'Hello', true)`,
    ],
    "it is pinned": [false, 91, "update threads set is_pinned = true where id = $1"],
    "it is archived": [false, 91, "update threads set is_archived = true where id = $1"],
    "it was renamed or read just now": [false, 91, "update threads set title = 'New' where id = $1"],
    "somebody waits for the expert": [false, 91, "update threads set needs_reply_at = now() where id = $1"],
    "the expert has taken over": [
      true,
      91,
      "update threads set taken_over_until = now() + interval '1 hour' where id = $1",
    ],
    "a takeover is over": [false, 91, "update threads set taken_over_until = now() - interval '1 hour' where id = $1"],
    "the answer is run again": [
      true,
      91,
      "update messages set status = 'streaming', updated_at = now() where thread_id = $1 and role = 'assistant'",
    ],
    "its answer was abandoned": [
      false,
      91,
      "update messages set status = 'streaming', updated_at = now() - interval '91 days' where thread_id = $1 and role = 'assistant'",
    ],
    "it has no messages": [false, 91, "delete from messages where thread_id = $1"],
    "its coach does not answer any more": [
      false,
      91,
      "update coach_profiles set is_active = false where id = (select coach_id from threads where id = $1)",
    ],
  };
  for (const [name, [expected, days, change]] of Object.entries(cases)) {
    await t.step(`${name}: ${expected ? "kept" : "erased"}`, async () => {
      const { thread_id } = await talk();
      await age(thread_id, days);
      if (change) await postgres.query(change, [thread_id]);
      await erase();
      assertEquals(await isKept(thread_id), expected);
      await postgres.query("delete from threads where id = $1", [thread_id]);
      await postgres.query("update coach_profiles set is_active = true");
    });
  }

  await t.step("a question in the newest thread, which moves it only with its answer: kept", async () => {
    const { thread_id } = await talk();
    await age(thread_id, 91);
    await begin({ thread_id });
    assertEquals(
      await value("select updated_at < now() - interval '90 days' from threads where id = $1", [thread_id]),
      true,
    );
    // The worker has died.
    await value("update messages set updated_at = now() - interval '1 minute' where thread_id = $1", [thread_id]);
    await erase();
    assertEquals(await isKept(thread_id), true);
  });

  await t.step("turns that stand alone go after as many days", async () => {
    const { thread_id } = await talk({ conversation: { is_standalone: true, said: [] } });
    await setRetention(7);
    await age(thread_id, 8);
    await erase();
    assertEquals(await isKept(thread_id), false);
  });

  await t.step("1 to 3650 days, of an account that exists", async () => {
    const refusal = (days: number, account?: string) =>
      setRetention(days, account).then(() => null, ({ code }) => code);
    assertEquals(await Promise.all([0, 3651, -1].map((days) => refusal(days))), ["23514", "23514", "23514"]);
    assertEquals(await refusal(90, crypto.randomUUID()), "PT404");
    // PGlite takes a refusal for the end of this process.
    Deno.exitCode = 0;
  });
});

Deno.test("with a thread goes what belongs to it, and nothing of others", async () => {
  await using prepared = await prepare();
  const { postgres, value, accountId, coachId, setRetention, erase, age, talk, isKept } = prepared;
  await setRetention(90);
  const caller = { account_id: accountId };
  const [old, other] = [await talk({ idempotency_key: "k", fingerprint: "f" }), await talk({ user_id: "v" })];
  for (const { thread_id, message_id } of [old, other]) {
    await value("select rate_answer($1, null, $2, $3, 'down', 'No')", [caller, thread_id, message_id]);
    await value("insert into test_cases (account_id, coach_id, question, thread_id) values ($1, $2, 'Why?', $3)", [
      accountId,
      coachId,
      thread_id,
    ]);
  }
  await value("update threads set updated_at = now() - interval '10 minutes'");
  await value("select index_threads()");
  const counted = async () =>
    (await postgres.query<{ name: string; count: number }>(`
      select 'feedback' as name, count(*)::integer from feedback
      union all select 'messages', count(*)::integer from messages
      union all select 'askings', count(*)::integer from private.askings
      union all select 'keys', count(*)::integer from private.idempotency_keys
      union all select 'tests', count(*)::integer from test_cases
      union all select 'words', count(distinct thread_id)::integer from private.thread_words
      union all select 'events', count(distinct thread_id)::integer from private.events
      union all select 'removals', count(*)::integer from private.response_removals
    `)).rows.map(({ name, count }) => `${name} ${count}`);
  assertEquals(await counted(), [
    "feedback 2",
    "messages 4",
    "askings 2",
    "keys 1",
    "tests 2",
    "words 2",
    "events 2",
    "removals 0",
  ]);
  await age(old.thread_id, 91);
  await erase();
  assertEquals(await counted(), [
    "feedback 1",
    "messages 2",
    "askings 1",
    "keys 0",
    "tests 1",
    "words 1",
    "events 1",
    "removals 1",
  ]);
  assertEquals(await isKept(other.thread_id), true);
  assertEquals(await value("select response_id from private.response_removals"), `of ${old.message_id}`);
  assertEquals(await value("select sum(times)::integer from open_questions"), 1);
});

Deno.test("the work is done in parts, and accounts take turns", async (t) => {
  await using prepared = await prepare();
  const { postgres, value, accountId, coachId, setRetention, erase, countThreads } = prepared;
  const { accountId: otherAccount, coachId: otherCoach } = await insertCoach(postgres);
  const { accountId: lasting, coachId: lastingCoach } = await insertCoach(postgres);
  for (const account of [accountId, otherAccount]) await setRetention(90, account);
  const insert = (account: string, coach: string, count: number) =>
    postgres.query(
      `insert into threads (account_id, coach_id, user_id, updated_at)
       select $1, $2, 'u', now() - interval '1 year' - n * interval '1 day' from generate_series(1, $3::integer) as n`,
      [account, coach, count],
    );
  const counts = async () => await Promise.all([accountId, otherAccount, lasting].map(countThreads));
  const step = () => value("select to_json(erase_untouched_threads())");
  const wait = (account: string, time: string) =>
    postgres.query("update accounts set retention_due_at = now() - $2::interval where id = $1", [account, time]);

  await t.step("an account with many threads waits behind another after each part", async () => {
    await insert(accountId, coachId, 110);
    await insert(otherAccount, otherCoach, 60);
    await insert(lasting, lastingCoach, 1);
    await wait(accountId, "2 hours");
    await wait(otherAccount, "1 hour");
    const seen = [];
    for (let part = 0; part < 6; part++) seen.push([await step(), ...await counts()]);
    assertEquals(seen, [
      [true, 60, 60, 1],
      [true, 60, 10, 1],
      [true, 10, 10, 1],
      [true, 10, 0, 1],
      [false, 0, 0, 1],
      [false, 0, 0, 1],
    ]);
    assertEquals(await value("select to_json(private.has_due_retention())"), false);
  });

  await t.step("long threads make a smaller part; the oldest go first", async () => {
    await insert(accountId, coachId, 3);
    await postgres.query(
      `insert into messages (thread_id, role, content, created_at)
       select thread.id, 'user', 'Q', thread.updated_at from threads as thread, generate_series(1, 300)
       where thread.account_id = $1`,
      [accountId],
    );
    await wait(accountId, "1 second");
    await step();
    const { rows } = await postgres.query<{ days: number }>(
      "select round(extract(epoch from now() - interval '1 year' - updated_at) / 86400)::integer as days from threads where account_id = $1",
      [accountId],
    );
    assertEquals(rows, [{ days: 1 }]);
    await erase();
    assertEquals(await countThreads(accountId), 0);
  });

  await t.step("what cannot be erased keeps nobody else's threads, and is tried again an hour later", async () => {
    await insert(accountId, coachId, 1);
    await insert(otherAccount, otherCoach, 1);
    await wait(accountId, "2 hours");
    await wait(otherAccount, "1 hour");
    await postgres.exec(`
      create function private.fail() returns trigger language plpgsql as $$ begin raise 'No'; end $$;
      create trigger fail before delete on threads for each row when (old.account_id = '${accountId}')
        execute function private.fail();
    `);
    assertEquals([await step(), ...await counts()], [true, 1, 1, 1]);
    assertEquals([await step(), ...await counts()], [false, 1, 0, 1]);
    await postgres.exec("drop trigger fail on threads; drop function private.fail()");
    // As above.
    Deno.exitCode = 0;
    await erase();
    assertEquals(await counts(), [0, 0, 1]);
  });
});
