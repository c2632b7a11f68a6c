import { assertEquals, assertNotEquals } from "../support/assert.ts";
import { askForValue, beginTurn, createMigratedPostgres, insertCoach } from "../support/migrated_postgres.ts";

Deno.test("conversations that clients keep themselves", async (t) => {
  await using postgres = await createMigratedPostgres();
  const value = askForValue(postgres);
  const { accountId, coachId } = await insertCoach(postgres);
  const { id: keyId } = await value("select issue_api_key($1, 'test')", [accountId]);
  const begin = (turn: Record<string, unknown>) =>
    beginTurn(postgres, { account_id: accountId, api_key_id: keyId, coach_id: coachId, ...turn });
  const end = (messageId: string, content: string) =>
    value("select save_turns($1)", [
      JSON.stringify([{ message_id: messageId, run_id: messageId, status: "complete", content }]),
    ]);
  const standalone = { is_standalone: true, said: [] };

  await t.step("turns that stand alone go after 30 days, a sweep at a time; others stay", async () => {
    const alone = [];
    for (let turn = 0; turn < 3; turn++) alone.push((await begin({ conversation: standalone })).thread_id);
    const kept = (await begin({})).thread_id;
    const age = (days: number, ids: string[]) =>
      postgres.query("update threads set updated_at = now() - $1 * interval '1 day' where id = any ($2)", [days, ids]);
    await age(31, [...alone.slice(0, 2), kept]);
    await age(29, alone.slice(2));
    await value("select take_indexing_work()");
    const { rows } = await postgres.query<{ id: string }>("select id from threads where id = any ($1)", [[
      ...alone,
      kept,
    ]]);
    assertEquals(rows.map(({ id }) => id).toSorted(), [alone[2], kept].toSorted());
  });

  await t.step(
    "a turn that is not kept goes with a later sweep if its worker dies; what was run again stays",
    async () => {
      const unkept = { ...standalone, is_unkept: true };
      const grow = () => postgres.exec("update private.unkept_answers set due_at = now()");
      const sweep = () => value("select take_indexing_work()");
      const stored = async (threads: string[]) =>
        (await postgres.query<{ id: string }>("select id from threads where id = any ($1)", [threads])).rows.length;
      const abandoned = await begin({ conversation: unkept });
      await sweep();
      assertEquals(await stored([abandoned.thread_id]), 1, "its worker may be alive");
      const other = await begin({ conversation: standalone });
      const again = await begin({ conversation: unkept });
      await end(again.message_id, "One");
      await begin({ retried_id: again.message_id });
      await grow();
      await sweep();
      assertEquals(await stored([abandoned.thread_id]), 0);
      assertEquals(await stored([other.thread_id, again.thread_id]), 2);
      assertEquals(await value("select count(*)::integer from private.unkept_answers"), 0);
    },
  );

  await t.step(
    "of a conversation that is kept, only the turn that is not goes, and only while it is the last",
    async () => {
      const first = await begin({});
      await end(first.message_id, "One");
      const next = (previous: string, is_unkept: boolean) =>
        begin({ conversation: { is_standalone: false, said: [], previous_id: previous, is_unkept } });
      const count = () => value("select count(*)::integer from messages where thread_id = $1", [first.thread_id]);
      const sweep = async () => {
        await postgres.exec("update private.unkept_answers set due_at = now()");
        await value("select take_indexing_work()");
      };
      await next(first.message_id, true);
      await sweep();
      assertEquals(await count(), 2);
      const second = await next(first.message_id, true);
      await end(second.message_id, "Two");
      const third = await next(second.message_id, false);
      await sweep();
      assertEquals(await count(), 6);
      await end(third.message_id, "Three");
      await next(third.message_id, true);
      // The expert is told of a question that waits for them.
      await value("select private.begin_takeover(thread, null) from threads as thread where thread.id = $1", [
        first.thread_id,
      ]);
      await sweep();
      assertEquals(await count(), 8);
    },
  );

  await t.step("one that is continued is a conversation like any other", async () => {
    const first = await begin({ conversation: standalone });
    await end(first.message_id, "One");
    const next = { is_standalone: false, said: [], previous_id: first.message_id };
    assertEquals((await begin({ conversation: next })).thread_id, first.thread_id);
    assertEquals(await value("select is_standalone from threads where id = $1", [first.thread_id]), false);
  });

  await t.step("a request counts as repeated for as long as its key lasts", async () => {
    const asked = { idempotency_key: "k", fingerprint: "f", conversation: standalone };
    const again = async (lasts: string) => (await begin({ ...asked, key_lasts: lasts }));
    const first = await begin({ ...asked, key_lasts: "0 s" });
    await end(first.message_id, "One");
    assertEquals((await again("120 s")).earlier.message_id, first.message_id);
    await postgres.exec("update private.idempotency_keys set created_at = now() - interval '121 seconds'");
    const later = await again("120 s");
    assertNotEquals(later.message_id, first.message_id);
    const anew = await again("0 s");
    assertNotEquals(anew.message_id, later.message_id);
    assertEquals((await again("120 s")).earlier.message_id, anew.message_id, "the newest counts");
  });

  await t.step("an answer that is run again is found by a repetition, too", async () => {
    const said = { is_standalone: false, name: "c", said: ["u1?", "aOne"] };
    const first = await begin({ content: "1?", conversation: { ...said, said: [] } });
    await end(first.message_id, "One");
    const second = await begin({ content: "2?", conversation: said });
    await end(second.message_id, "Two");
    const asked = { content: "2?", conversation: said, idempotency_key: "r", fingerprint: "f" };
    const rerun = await begin({ ...asked, key_lasts: "0 s" });
    assertEquals(rerun.message_id, second.message_id);
    const { earlier } = await begin({ ...asked, key_lasts: "120 s" });
    assertEquals([earlier.message_id, earlier.status], [second.message_id, "streaming"]);
  });

  await t.step("of 2,000 messages, the part that a client has is found; an older one is not looked for", async () => {
    const { thread_id: threadId } = await begin({ content: "oldest" });
    await postgres.query(
      `insert into messages (thread_id, role, content, created_at)
       select $1, case when place % 2 = 0 then 'assistant' else 'user' end, 'm' || place, now() + place * interval '1 ms'
       from generate_series(1, 2500) as place`,
      [threadId],
    );
    const knows = (said: string[]) => value("select private.has_said($1, 'infinity', $2, false)", [threadId, said]);
    assertEquals(await knows(["um601", "am1000", "um2499"]), true);
    assertEquals(await knows(["am1000", "um601"]), false);
    assertEquals(await knows(["um1"]), false);
    assertEquals(await knows([]), true);
  });
});
