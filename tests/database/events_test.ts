import type { PGlite } from "@electric-sql/pglite";
import { EventKind } from "../../shared/features/events/fields.ts";
import { assert, assertEquals } from "../support/assert.ts";
import { handOver } from "../support/hand_over.ts";
import { askForValue, createMigratedPostgres, insertCoach } from "../support/migrated_postgres.ts";

/** The kind of event that only experts hear of. */
const questionOpened = EventKind.options.find((kind) => kind.startsWith("question."))!;

type Listed = { id: number; at: number; kind: string; data: Record<string, string> } | null;

/** A thread of a user with the coach. */
function insertThread(postgres: PGlite, coachId: string, userId: string): Promise<string> {
  return askForValue(postgres)(
    "insert into threads (coach_id, user_id) values ($1, $2) returning id",
    [coachId, userId],
  );
}

/** A key of an account. */
async function issueKey(postgres: PGlite, accountId: string): Promise<string> {
  return (await askForValue(postgres)("select issue_api_key($1, 'k')", [accountId])).id;
}

Deno.test("a reader whose key has ended, or whose coach is deleted, gets no events", async () => {
  await using postgres = await createMigratedPostgres();
  const value = askForValue(postgres);
  const { accountId, coachId } = await insertCoach(postgres);
  const threadId = await insertThread(postgres, coachId, "ada");
  const [valid, revoked, expired] = [
    await issueKey(postgres, accountId),
    await issueKey(postgres, accountId),
    await issueKey(postgres, accountId),
  ];
  await value("select revoke_api_key($1)", [revoked]);
  await postgres.query("update private.api_keys set expires_at = now() - interval '1 second' where id = $1", [expired]);
  const keys = [valid, revoked, expired, crypto.randomUUID(), null];
  const readers = keys.map((api_key_id) => ({ account_id: accountId, api_key_id, thread_id: threadId }));
  const read = async () => (await value("select read_events($1, 0)", [JSON.stringify(readers)])).events;
  assertEquals(await read(), [[], null, null, null, null]);
  await postgres.query("update coach_profiles set deleted_at = now(), is_active = false where id = $1", [coachId]);
  assertEquals(await read(), [null, null, null, null, null]);
});

/** Two coaches of different accounts, each with a thread; the first has an expert. */
async function prepare() {
  await using stack = new AsyncDisposableStack();
  const postgres = stack.use(await createMigratedPostgres());
  const value = askForValue(postgres);
  const { accountId, coachId } = await insertCoach(postgres);
  const other = await insertCoach(postgres);
  const threadId = await insertThread(postgres, coachId, "ada");
  const foreignId = await insertThread(postgres, other.coachId, "ada");
  const owner = crypto.randomUUID();
  await postgres.query("insert into auth.users (id) values ($1)", [owner]);
  await postgres.query("update coach_profiles set owner_id = $1 where id = $2", [owner, coachId]);

  const record = (kind: string, thread: string | null = threadId, coach = coachId, account = accountId) =>
    postgres.query("select private.record_event($1, $2, $3, $4, question_id => $5)", [
      kind,
      account,
      coach,
      thread,
      kind === questionOpened ? crypto.randomUUID() : null,
    ]);
  return handOver(stack, { postgres, value, accountId, coachId, other, threadId, foreignId, owner, record });
}

Deno.test("who is typing is told once in two seconds, and not to those who come later", async () => {
  await using prepared = await prepare();
  const { postgres, value, accountId, threadId } = prepared;
  const readers = JSON.stringify([{
    account_id: accountId,
    api_key_id: await issueKey(postgres, accountId),
    thread_id: threadId,
  }]);
  const caller = JSON.stringify({ account_id: accountId });
  const tell = () => value("select public.tell_typing($1, 'ada', $2)", [caller, threadId]);
  const listed = async () => (await value("select public.read_events($1, 0)", [readers])).events[0].length;
  await tell();
  await tell();
  assertEquals(await listed(), 1);
  await postgres.exec("update private.events set created_at = created_at - interval '3 seconds'");
  await tell();
  assertEquals(await listed(), 2);
  await postgres.exec("update private.events set created_at = created_at - interval '5 seconds'");
  assertEquals(await listed(), 0);
});

Deno.test("events", async (t) => {
  await using prepared = await prepare();
  const { postgres, value, accountId, coachId, other, threadId, foreignId, owner, record } = prepared;
  const microsecondsNow = () => value("select private.to_microseconds(clock_timestamp())");
  const keyId = await issueKey(postgres, accountId);
  const read = async (readers: Record<string, unknown>[], since = 0) =>
    await value("select public.read_events($1, $2)", [
      JSON.stringify(readers.map((reader) => ({ api_key_id: keyId, ...reader }))),
      since,
    ]) as {
      since: number;
      events: (Listed[] | null)[];
    };
  const kindsOf = (events: Listed[] | null | undefined) => events?.map((event) => event?.kind ?? null) ?? null;
  const watch = async (args: Record<string, unknown>) =>
    await value("select public.watch_thread($1, $2, $3, $4)", [
      JSON.stringify({ account_id: accountId }),
      threadId,
      args.user_id ?? null,
      args.after ?? null,
    ]);

  await record("message.begun");
  await record(questionOpened);
  await record("message.completed");
  await record("thread.changed");
  await record("message.begun", foreignId, other.coachId, other.accountId);

  await t.step("each reader gets its own; who may not watch gets null", async () => {
    const account_id = accountId;
    const { events } = await read([
      { account_id, user_id: "ada", thread_id: threadId },
      { account_id, user_id: owner, thread_id: threadId },
      { account_id, thread_id: threadId },
      { account_id, user_id: "bob", thread_id: threadId },
      { account_id: other.accountId, user_id: "ada", thread_id: threadId },
      { account_id, user_id: "ada", thread_id: foreignId },
      { account_id, user_id: owner, coach_id: coachId },
      { account_id, coach_id: coachId },
      { account_id, user_id: "ada", coach_id: coachId },
      { account_id, coach_id: other.coachId },
      { account_id, thread_id: crypto.randomUUID() },
    ]);
    // Open questions, and what experts note down of a thread, are between the coach and its experts.
    const ofThread = ["message.begun", "message.completed"];
    const ofCoach = ["message.begun", questionOpened, "message.completed", "thread.changed"];
    assertEquals(events.map(kindsOf), [
      ofThread,
      ofThread,
      ofThread,
      null,
      null,
      null,
      ofCoach,
      ofCoach,
      null,
      null,
      null,
    ]);
    const [begun] = events[0]!;
    assertEquals(Object.keys(begun!.data), ["thread_id", "at"]);
    assertEquals(events[6]!.map((event) => "question_id" in event!.data), [false, true, false, false]);
  });

  await t.step("what becomes visible late is read again, once it is older than ten seconds no more", async () => {
    const { since } = await read([]);
    assert(since <= await microsecondsNow() - 10_000_000);
    await postgres.exec("update private.events set created_at = clock_timestamp() - interval '9 seconds'");
    assertEquals(kindsOf((await read([{ account_id: accountId, thread_id: threadId }], since)).events[0])?.length, 2);
    await postgres.exec("update private.events set created_at = clock_timestamp() - interval '11 seconds'");
    const later = (await read([])).since;
    assertEquals((await read([{ account_id: accountId, thread_id: threadId }], later)).events, [[]]);
  });

  await t.step("who comes back is given what was missed; who is late, or names no event, is told so", async () => {
    const now = await microsecondsNow();
    assertEquals(kindsOf((await watch({})).events), []);
    for (const minutes of [0.5, 8.9]) {
      const back = await watch({ after: now - minutes * 60_000_000 });
      assertEquals([back.is_late, kindsOf(back.events)], [false, ["message.begun", "message.completed"]]);
    }
    for (const after of [0, now - 9.1 * 60_000_000, now + 60_000_000]) {
      const late = await watch({ after });
      assertEquals([late.is_late, kindsOf(late.events)], [true, []], String(after));
    }
    assertEquals(await watch({ user_id: "bob" }), { error: "thread_not_found" });
  });

  await t.step("of more than a thousand the newest are read, and the reader learns that some are missing", async () => {
    await postgres.exec("update private.events set created_at = clock_timestamp()");
    await postgres.query(
      `insert into private.events (kind, account_id, coach_id, thread_id)
       select 'message.begun', $1, $2, $3 from generate_series(1, 1200)`,
      [accountId, coachId, threadId],
    );
    const { events } = await read([{ account_id: accountId, coach_id: coachId }]);
    assertEquals([events[0]!.length, events[0]!.indexOf(null), events[0]!.lastIndexOf(null)], [1001, 0, 0]);
    await postgres.exec("delete from private.events where kind = 'message.begun' and thread_id is not null");
  });
});

Deno.test("events end", async (t) => {
  await using prepared = await prepare();
  const { postgres, value, accountId, coachId, record } = prepared;

  await t.step("the sweep and the clock delete what is older than ten minutes, and nothing else", async () => {
    const count = () => value("select count(*)::int from private.events");
    await postgres.exec("delete from private.events");
    for (const call of ["public.take_indexing_work()", "private.wake_indexer()"]) {
      await record("message.begun");
      await postgres.exec("update private.events set kept_until = kept_until - interval '9 minutes 30 seconds'");
      await record("message.completed");
      await postgres.exec(`select ${call}`);
      assertEquals(await count(), 2, call);
      await postgres.exec("update private.events set kept_until = kept_until - interval '31 seconds'");
      await postgres.exec(`select ${call}`);
      assertEquals(await count(), 1, call);
      await postgres.exec("delete from private.events");
    }
  });

  await t.step("the events of a thread go with it, and those of a user's threads with the user", async () => {
    const left = async () =>
      (await postgres.query<{ thread_id: string }>("select distinct thread_id from private.events")).rows
        .map(({ thread_id }) => thread_id);
    const [first, second, kept] = [
      await insertThread(postgres, coachId, "eve"),
      await insertThread(postgres, coachId, "eve"),
      await insertThread(postgres, coachId, "bob"),
    ];
    // What waits for a webhook goes, too.
    const waiting = async () =>
      await value("select json_agg(distinct data->>'thread_id') from private.webhook_messages");
    await value("select set_webhook($1, 'https://example.com/')", [accountId]);
    for (const id of [first, second, kept]) await record("thread.needs_expert", id);
    await record(questionOpened, null);
    await value("select delete_thread($1, $2)", [JSON.stringify({ account_id: accountId }), first]);
    assertEquals((await left()).toSorted(), [second, kept, null].toSorted());
    assertEquals((await waiting()).toSorted(), [second, kept, null].toSorted());
    await value("select erase_user($1, 'eve')", [accountId]);
    assertEquals((await left()).toSorted(), [kept, null].toSorted());
    assertEquals((await waiting()).toSorted(), [kept, null].toSorted());
  });
});
