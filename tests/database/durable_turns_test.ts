import { assert, assertEquals, assertNotEquals } from "deno-std/assert/mod.js";
import { askForValue, createMigratedPostgres, insertCoach } from "../support/migrated_postgres.ts";

Deno.test("turns that come twice, late, or from the dead", async (t) => {
  const postgres = await createMigratedPostgres();
  const value = askForValue(postgres);
  const { accountId, coachId } = await insertCoach(postgres);
  const newId = () => crypto.randomUUID();
  type Begin = { threadId?: string; content?: string; turnId?: string; key?: string; fingerprint?: string };
  const begin = ({ threadId, content = "Q", turnId, key, fingerprint = "f" }: Begin = {}) =>
    value(
      `select begin_turn($1, $2, $3, 'u', $4, $4, null, 'r',
        run_id => $5, idempotency_key => $6, fingerprint => $7)`,
      [accountId, threadId ?? null, coachId, content, turnId ?? null, key ?? null, key ? fingerprint : null],
    );
  /** Saves a turn, and tells why it should end, if it should. */
  const save = async (turn: Record<string, unknown>): Promise<string | null> => {
    const [ended, ...others] = await value("select save_turns($1)", [JSON.stringify([turn])]);
    assertEquals([ended?.message_id ?? turn.message_id, others], [turn.message_id, []]);
    return ended?.reason ?? null;
  };
  const stored = (id: string) => value("select to_json(m) from messages m where id = $1", [id]);
  const messagesOf = (threadId: string) =>
    value("select json_agg(content order by created_at, sequence) from messages where thread_id = $1", [threadId]);

  await t.step("a call that arrives twice writes one question and one answer", async () => {
    const turnId = newId();
    const [first, second] = [await begin({ turnId }), await begin({ turnId })];
    assertEquals(second, first);
    assertEquals(first.message_id, turnId);
    assertEquals(await messagesOf(first.thread_id), ["Q", ""]);
    const next = newId();
    const [third, fourth] = [
      await begin({ turnId: next, threadId: first.thread_id }),
      await begin({ turnId: next, threadId: first.thread_id }),
    ];
    assertEquals(fourth, third);
    assertEquals(third.history, [{ role: "user", content: "Q" }]);
    assertEquals(await messagesOf(first.thread_id), ["Q", "", "Q", ""]);
  });

  await t.step(
    "one that arrives twice with a key as well is told that it has begun, not that another has",
    async () => {
      const [turnId, key] = [newId(), newId()];
      const [first, second] = [await begin({ turnId, key }), await begin({ turnId, key })];
      assertEquals(second, first);
      // And so is one that runs a failed turn again.
      await save({ message_id: turnId, run_id: turnId, status: "failed", content: "half" });
      const again = newId();
      const [third, fourth] = [await begin({ turnId: again, key }), await begin({ turnId: again, key })];
      assertEquals(fourth, third);
      assertEquals([third.message_id, (await stored(turnId)).run_id], [turnId, again]);
      assert("earlier" in await begin({ turnId: newId(), key }));
    },
  );

  await t.step("the functions of the version before, which know none of this, still begin and save turns", async () => {
    const { thread_id: threadId, message_id: id } = await begin();
    await save({ message_id: id, status: "streaming", content: "a" });
    await save({ message_id: id, status: "complete", content: "ab" });
    assertEquals(await messagesOf(threadId), ["Q", "ab"]);
  });

  await t.step("a key is forgotten after 24 hours, not before", async () => {
    const key = newId();
    const { message_id: id } = await begin({ turnId: newId(), key });
    const age = (interval: string) =>
      postgres.query(
        "update private.idempotency_keys set created_at = now() - $1::interval where message_id = $2",
        [interval, id],
      );
    await age("23 hours 59 minutes");
    assertEquals((await begin({ turnId: newId(), key })).earlier.message_id, id);
    assertEquals(await begin({ turnId: newId(), key, fingerprint: "other" }), { error: "idempotency_key_reused" });
    await age("24 hours 1 minute");
    const anew = await begin({ turnId: newId(), key, fingerprint: "other" });
    assertNotEquals(anew.message_id, id);
    assertEquals((await begin({ turnId: newId(), key, fingerprint: "other" })).earlier.message_id, anew.message_id);
  });

  await t.step("expired keys do not pile up", async () => {
    for (let index = 0; index < 3; index++) await begin({ turnId: newId(), key: newId() });
    await postgres.query("update private.idempotency_keys set created_at = now() - interval '2 days'");
    await begin({ turnId: newId(), key: newId() });
    assertEquals(await value("select count(*)::int from private.idempotency_keys"), 1);
  });

  await t.step("what a run of before still sends is not taken", async () => {
    const [turnId, key, again] = [newId(), newId(), newId()];
    await begin({ turnId, key });
    await save({ message_id: turnId, run_id: turnId, status: "failed", content: "half" });
    await begin({ turnId: again, key });
    for (const status of ["streaming", "complete", "stopped", "failed"]) {
      assertEquals(await save({ message_id: turnId, run_id: turnId, status, content: "late" }), "lost");
    }
    assertEquals(await save({ message_id: turnId, run_id: again, status: "streaming", content: "new" }), null);
    const { content, status } = await stored(turnId);
    assertEquals([content, status], ["new", "streaming"]);
  });

  await t.step("a call that arrives once more when its turn is over takes nothing away", async () => {
    const turnId = newId();
    await begin({ turnId });
    await save({ message_id: turnId, run_id: turnId, status: "complete", content: "all of it" });
    await begin({ turnId });
    const { content, status } = await stored(turnId);
    assertEquals([content, status], ["all of it", "complete"]);
  });

  await t.step("text that is not final never replaces more", async () => {
    const turnId = newId();
    await begin({ turnId });
    const write = async (status: string, content: string) => {
      await save({ message_id: turnId, run_id: turnId, status, content });
      return (await stored(turnId)).content;
    };
    assertEquals(await write("streaming", "one two"), "one two");
    assertEquals(await write("streaming", "one"), "one two");
    assertEquals(await write("failed", "one"), "one two");
    // The writer of an answer that was taken for dead may still bring more of it.
    assertEquals(await write("failed", "one two three"), "one two three");
  });

  await t.step("an end that arrives twice has been taken", async () => {
    for (const status of ["complete", "stopped", "failed"]) {
      const turnId = newId();
      await begin({ turnId });
      const end = () => save({ message_id: turnId, run_id: turnId, status, content: "said" });
      assertEquals([await end(), await end()], [null, null]);
    }
  });

  await t.step("a reader ends only what has shown no sign of life for 30 seconds", async () => {
    const turnId = newId();
    await begin({ turnId });
    const end = async (silence: string) => {
      await postgres.query("update messages set updated_at = now() - $1::interval where id = $2", [silence, turnId]);
      await save({ message_id: turnId, status: "failed" });
      return (await stored(turnId)).status;
    };
    assertEquals(await end("29 seconds"), "streaming");
    assertEquals(await end("31 seconds"), "failed");
  });

  await t.step("a turn without news shows that its writer lives, and keeps its text", async () => {
    const turnId = newId();
    await begin({ turnId });
    await save({ message_id: turnId, run_id: turnId, status: "streaming", content: "text" });
    const touch = async (silence: string) => {
      await postgres.query("update messages set updated_at = now() - $1::interval where id = $2", [silence, turnId]);
      await save({ message_id: turnId, run_id: turnId, status: "streaming" });
      return await value("select updated_at > now() - interval '1 second' from messages where id = $1", [turnId]);
    };
    assertEquals([await touch("9 seconds"), await touch("11 seconds")], [false, true]);
    assertEquals((await stored(turnId)).content, "text");
  });

  await t.step("a writer is told to end when a stop is asked for, and when its answer is over or gone", async () => {
    const turnId = newId();
    const { thread_id: threadId } = await begin({ turnId });
    const progress = () => save({ message_id: turnId, run_id: turnId, status: "streaming" });
    const set = (assignment: string) => postgres.query(`update messages set ${assignment} where id = $1`, [turnId]);
    assertEquals(await progress(), null);
    await value("select stop_turn($1, null, $2, false)", [accountId, turnId]);
    assertEquals(await progress(), "stopped");
    await set("stop_requested_at = null, status = 'stopped'");
    assertEquals(await progress(), "stopped");
    await set("status = 'complete'");
    assertEquals(await progress(), "lost");
    // One that was only given up for dead may still come with all of it.
    await set("status = 'failed'");
    assertEquals(await progress(), null);
    await postgres.query("delete from threads where id = $1", [threadId]);
    assertEquals(await progress(), "lost");
  });

  await t.step("what was asked of answers is read per account and user, in the order of asking", async () => {
    const turnId = newId();
    const { thread_id: threadId } = await begin({ turnId });
    await save({ message_id: turnId, run_id: turnId, status: "complete", content: "a😀bc", response_id: "resp_1" });
    const ask = (...asked: Record<string, unknown>[]) =>
      value("select read_answers($1)", [
        JSON.stringify(asked.map((each) => ({ message_id: turnId, after: 0, ...each }))),
      ]);
    const [whole, stranger, rest, nobody, other] = await ask(
      { account_id: accountId, user_id: null },
      { account_id: newId(), user_id: "u" },
      { account_id: accountId, user_id: "u", after: 2 },
      { account_id: accountId, user_id: "somebody" },
      { account_id: accountId, message_id: newId() },
    );
    assertEquals([stranger, nobody, other], [null, null, null]);
    assertEquals([whole.content, rest.content], ["a😀bc", "bc"]);
    assertEquals([whole.thread_id, whole.status, whole.response_id, whole.is_abandoned], [
      threadId,
      "complete",
      "resp_1",
      false,
    ]);
    assertEquals(await ask(), []);
  });

  await postgres.close();
});
