import type { PGlite } from "@electric-sql/pglite";
import { readQuestion } from "../../shared/core/questions/read_questions.ts";
import { assert, assertEquals, assertRejects } from "../support/assert.ts";
import { handOver } from "../support/hand_over.ts";
import {
  askForValue,
  beginTurn,
  createMigratedPostgres,
  insertCoach,
  readInSql,
} from "../support/migrated_postgres.ts";

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const postgres = stack.use(await createMigratedPostgres());
  const { accountId, coachId } = await insertCoach(postgres);
  const value = askForValue(postgres);
  const caller = JSON.stringify({ account_id: accountId });
  const begin = (threadId: string | null = null) =>
    beginTurn(postgres, { account_id: accountId, coach_id: coachId, thread_id: threadId });
  const save = (id: string, runId: string, status: string, content: string, more = {}) =>
    value("select save_turns($1)", [
      JSON.stringify([{ message_id: id, run_id: runId, status, content, ...more }]),
    ]);
  const takeOver = (threadId: string, account_id = accountId) =>
    value("select take_over($1, null, $2)", [JSON.stringify({ account_id }), threadId]);
  const release = (threadId: string) => value("select release_thread($1, null, $2)", [caller, threadId]);
  const say = (threadId: string, content: string) =>
    value("select say_as_expert($1, null, $2, $3, 'r')", [caller, threadId, content]);
  const answerOf = async (id: string) =>
    JSON.parse(await value("select to_json(m)::text from messages m where id = $1", [id]));
  const threadOf = async (id: string) =>
    JSON.parse(await value("select to_json(t)::text from threads t where id = $1", [id]));
  const eventsOf = (threadId: string) =>
    value("select array_agg(kind order by id) from private.events where thread_id = $1", [threadId]);
  const turnsToday = async () => Number(await value("select coalesce(sum(turns), 0) from usage_daily"));

  /** A thread with one turn that is complete. */
  async function talked(): Promise<{ threadId: string; messageId: string }> {
    const { thread_id, message_id } = await begin();
    await save(message_id, message_id, "complete", "Well.", { response_id: `resp_${message_id}` });
    await postgres.query("delete from private.events");
    return { threadId: thread_id, messageId: message_id };
  }
  return handOver(stack, {
    postgres,
    accountId,
    coachId,
    value,
    caller,
    begin,
    save,
    takeOver,
    release,
    say,
    answerOf,
    threadOf,
    eventsOf,
    turnsToday,
    talked,
  });
}

Deno.test("takeovers in Postgres begin and end", async (t) => {
  await using prepared = await prepare();
  const {
    postgres,
    accountId,
    coachId,
    value,
    begin,
    save,
    takeOver,
    release,
    say,
    answerOf,
    threadOf,
    eventsOf,
    talked,
  } = prepared;

  await t.step("only what changes is told", async () => {
    const { threadId } = await talked();
    for (const _ of [1, 2]) await takeOver(threadId);
    await postgres.query("update threads set taken_over_by = gen_random_uuid() where id = $1", [threadId]);
    await takeOver(threadId);
    for (const _ of [1, 2]) await release(threadId);
    assertEquals(await eventsOf(threadId), ["takeover.begun", "takeover.begun", "takeover.released"]);
    await say(threadId, "Hello");
    await say(threadId, "Still here");
    assertEquals((await eventsOf(threadId)).slice(3), ["takeover.begun", "message.completed", "message.completed"]);
  });

  await t.step("the sweep ends those whose time is over, and tells it", async () => {
    const [over, lasting] = [await talked(), await talked()];
    for (const { threadId } of [over, lasting]) await takeOver(threadId);
    await postgres.query("update threads set taken_over_until = now() - interval '1 second' where id = $1", [
      over.threadId,
    ]);
    for (const _ of [1, 2]) await value("select take_indexing_work()");
    assertEquals(await eventsOf(over.threadId), ["takeover.begun", "takeover.expired"]);
    assertEquals(await eventsOf(lasting.threadId), ["takeover.begun"]);
    assertEquals((await threadOf(over.threadId)).taken_over_until, null);
    assert((await threadOf(lasting.threadId)).taken_over_until !== null);
  });

  await t.step("a release after the time is over tells that it was over", async () => {
    const { threadId } = await talked();
    await takeOver(threadId);
    await postgres.query("update threads set taken_over_until = now() - interval '1 second' where id = $1", [threadId]);
    await release(threadId);
    assertEquals(await eventsOf(threadId), ["takeover.begun", "takeover.expired"]);
  });

  await t.step("more than a batch is over: further sweeps end the rest", async () => {
    await postgres.query(
      "insert into threads (account_id, coach_id, user_id, taken_over_until) select $1, $2, 'many', now() - interval '1 day' from generate_series(1, 600)",
      [accountId, coachId],
    );
    const left = () => value("select count(*)::int from threads where taken_over_until < now()");
    await value("select take_indexing_work()");
    assertEquals(await left(), 100);
    await value("select take_indexing_work()");
    assertEquals(await left(), 0);
  });

  await t.step("how long it lasts is the coach's own", async () => {
    const { threadId } = await talked();
    await postgres.query("update coach_profiles set takeover_minutes = 5 where id = $1", [coachId]);
    await takeOver(threadId);
    const minutes = await value(
      "select round(extract(epoch from taken_over_until - now()) / 60)::int from threads where id = $1",
      [threadId],
    );
    assertEquals(minutes, 5);
    await postgres.query("update coach_profiles set takeover_minutes = 60 where id = $1", [coachId]);
  });

  await t.step(
    "a run that stores text while its answer waits ends it; one without is told, and stores nothing",
    async () => {
      const { threadId } = await talked();
      const { message_id: id } = await begin(threadId);
      await takeOver(threadId);
      const [told] = await save(id, id, "failed", "");
      assertEquals([told.reason, (await answerOf(id)).status], ["taken_over", "waiting"]);
      await save(id, id, "streaming", "Some words");
      assertEquals([(await answerOf(id)).status, (await answerOf(id)).content], ["stopped", "Some words"]);
      assertEquals((await threadOf(threadId)).is_waiting, false);
    },
  );
});

Deno.test("takeovers in Postgres and the answers of a thread", async (t) => {
  await using prepared = await prepare();
  const { value, begin, save, takeOver, release, say, answerOf, threadOf, eventsOf, turnsToday, talked } = prepared;

  await t.step("a run whose answer the expert has given stores nothing, and its responses are removed", async () => {
    const { threadId } = await talked();
    const { message_id: id } = await begin(threadId);
    await save(id, id, "streaming", "", { response_id: "resp_half", other_response_ids: ["resp_tool"] });
    await takeOver(threadId);
    await say(threadId, "In person");
    const before = await answerOf(id);
    assertEquals([before.content, before.response_id, before.other_response_ids], ["In person", null, null]);
    const [told] = await save(id, id, "complete", "Late", { response_id: "resp_late", input_tokens: 5 });
    assertEquals(told.reason, "taken_over");
    assertEquals(await answerOf(id), before);
    const removals = await value(
      "select array_agg(response_id order by response_id) from private.response_removals where response_id in ('resp_half', 'resp_tool', 'resp_late')",
    );
    assertEquals(removals, ["resp_half", "resp_late", "resp_tool"]);
  });

  await t.step("what the expert says is no turn of the model; an answer that is cut off is", async () => {
    const { threadId } = await talked();
    await takeOver(threadId);
    const { earlier } = await begin(threadId);
    let before = await turnsToday();
    await say(threadId, "In person");
    await say(threadId, "Alone");
    assertEquals((await answerOf(earlier.message_id)).content, "In person");
    assertEquals(await turnsToday(), before);
    await release(threadId);
    const { message_id: id } = await begin(threadId);
    await save(id, id, "streaming", "So far");
    before = await turnsToday();
    await takeOver(threadId);
    await save(id, id, "stopped", "So far");
    assertEquals(await turnsToday(), before + 1);
  });

  await t.step("the end of an answer that is cut off is told, and settles the thread", async () => {
    const { threadId } = await talked();
    const { message_id: id } = await begin(threadId);
    await save(id, id, "streaming", "So far");
    await takeOver(threadId);
    assertEquals(await eventsOf(threadId), ["message.begun", "message.completed", "takeover.begun"]);
    assertEquals((await threadOf(threadId)).settled_count, 4);
    await say(threadId, "Alone");
    assertEquals((await threadOf(threadId)).settled_count, 5);
  });

  await t.step("nothing is settled while a question waits, and everything when it is answered", async () => {
    const { threadId } = await talked();
    await takeOver(threadId);
    await begin(threadId);
    await begin(threadId);
    await say(threadId, "One");
    assertEquals((await threadOf(threadId)).settled_count, 2);
    await say(threadId, "Two");
    assertEquals((await threadOf(threadId)).settled_count, 6);
  });
});

Deno.test("takeovers in Postgres, and what else happens to their threads", async (t) => {
  await using prepared = await prepare();
  const {
    postgres,
    accountId,
    coachId,
    value,
    caller,
    begin,
    save,
    takeOver,
    release,
    say,
    answerOf,
    threadOf,
    eventsOf,
    talked,
  } = prepared;

  await t.step(
    "a question that waits ends when it is stopped, or nobody is there any more, and that is told",
    async () => {
      const { threadId } = await talked();
      await takeOver(threadId);
      await postgres.exec("delete from private.events; delete from private.ledger");
      const { earlier: stopped } = await begin(threadId);
      const { earlier: lost } = await begin(threadId);
      // The expert is called once, and the person counts as one who has asked.
      assertEquals(await eventsOf(threadId), ["message.begun", "thread.needs_expert", "message.begun"]);
      assertEquals((await value("select json_agg(user_id) from private.ledger")).length, 2);
      await postgres.query("delete from private.events");
      await value("select stop_turn($1, null, $2, false)", [caller, stopped.message_id]);
      assertEquals(await eventsOf(threadId), ["message.completed"]);
      await release(threadId);
      await postgres.query("update coach_profiles set is_active = false where id = $1", [coachId]);
      await value("select take_waiting_turn($1)", [crypto.randomUUID()]);
      await postgres.query("update coach_profiles set is_active = true where id = $1", [coachId]);
      assertEquals([(await answerOf(stopped.message_id)).status, (await answerOf(lost.message_id)).status], [
        "stopped",
        "failed",
      ]);
      assertEquals(await eventsOf(threadId), ["message.completed", "takeover.released", "message.completed"]);
    },
  );

  await t.step(
    "a message of the expert ends the wait of somebody who has asked for a human, a takeover does not",
    async () => {
      const { threadId } = await talked();
      await postgres.query("update threads set needs_reply_at = now() where id = $1", [threadId]);
      await takeOver(threadId);
      assert((await threadOf(threadId)).needs_reply_at !== null);
      await say(threadId, "Here I am");
      assertEquals((await threadOf(threadId)).needs_reply_at, null);
    },
  );

  await t.step(
    "words of the expert are found by the search of threads, also where they have filled an answer",
    async () => {
      const { threadId } = await talked();
      await takeOver(threadId);
      await begin(threadId);
      await ageAndIndex(postgres, threadId);
      await say(threadId, "Marigolds");
      await ageAndIndex(postgres, threadId);
      const found = await value("select search_threads($1, 'u', $2)", [caller, { search: "marigolds" }]);
      assertEquals(found.data.map(({ id }: { id: string }) => id), [threadId]);
    },
  );

  await t.step("what has waited is compared with what is pinned: SQL names it, and takes nothing before", async () => {
    const other = await insertCoach(postgres);
    await value(`select private.pin_answer($1, $2, array[${readInSql("'Q'")}], 'So.', null, false)`, [
      other.accountId,
      other.coachId,
    ]);
    const asked = { ...await readQuestion("Something else", "english"), content: undefined };
    const turn = { account_id: other.accountId, coach_id: other.coachId, asked };
    const { thread_id, message_id } = await beginTurn(postgres, { ...turn, content: "Not Q" });
    await save(message_id, message_id, "complete", "Well.");
    await takeOver(thread_id, other.accountId);
    await beginTurn(postgres, { ...turn, thread_id, content: "Why do owls sleep in the day?" });
    await postgres.query("update threads set taken_over_until = null where id = $1", [thread_id]);
    const take = (asked: unknown) =>
      value("select take_waiting_turn(gen_random_uuid(), asked => $1)", [
        asked === null ? null : JSON.stringify(asked),
      ]);
    const refusal = await assertRejects(() => take(null), Error);
    // Every SQL error sets the exit code of this process; undo that.
    Deno.exitCode = 0;
    const { code, message, detail } = refusal as Error & { code: string; detail: string };
    assertEquals([code, message, detail], ["PT412", "english", "Why do owls sleep in the day?"]);
    assertEquals((await take(await readQuestion(detail, message))).turn.thread_id, thread_id);
  });

  await t.step(
    "when the model answers what has waited, whoever has asked for a human still waits for one",
    async () => {
      for (const isForHuman of [false, true]) {
        const { thread_id: threadId, message_id: id } = await begin();
        if (isForHuman) await value("select keep_question($1, $1, null, true)", [id]);
        await save(id, id, "complete", "Well.");
        await takeOver(threadId);
        await begin(threadId);
        await postgres.query("update threads set taken_over_until = null where id = $1", [threadId]);
        const { turn } = await value("select take_waiting_turn(gen_random_uuid())");
        assertEquals(turn.thread_id, threadId);
        const { is_waiting, needs_reply_at } = await threadOf(threadId);
        assertEquals([is_waiting, needs_reply_at !== null], [false, isForHuman]);
      }
    },
  );

  await t.step("a user with a thread that is taken over can be erased", async () => {
    const { threadId } = await talked();
    await takeOver(threadId);
    await begin(threadId);
    await postgres.query("update threads set user_id = 'erased' where id = $1", [threadId]);
    await say(threadId, "Before you go");
    const exported = await value("select export_user($1, 'erased')", [accountId]);
    assertEquals(exported.threads[0].messages.map(({ author }: { author: string }) => author), [
      "user",
      "ai",
      "user",
      "expert",
    ]);
    const { threads } = await value("select erase_user($1, 'erased')", [accountId]);
    assertEquals(threads, 1);
    assertEquals(await takeOver(threadId), { error: "thread_not_found" });
    assertEquals(await say(threadId, "Late"), { error: "thread_not_found" });
    assertEquals(await release(threadId), { error: "thread_not_found" });
  });
});

/** Has the words of a thread indexed, as the sweep does some minutes later. */
async function ageAndIndex(postgres: PGlite, threadId: string) {
  await postgres.query("update threads set updated_at = now() - interval '6 minutes' where id = $1", [threadId]);
  await postgres.query("update messages set updated_at = now() - interval '6 minutes' where thread_id = $1", [
    threadId,
  ]);
  await postgres.query("select index_threads()");
}
