import { assert, assertEquals, assertNotEquals } from "../support/assert.ts";
import { handOver } from "../support/hand_over.ts";
import { askForValue, beginTurn, createMigratedPostgres, insertCoach } from "../support/migrated_postgres.ts";

type Begin = { threadId?: string; content?: string; runId: string; key?: string; fingerprint?: string };

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const postgres = stack.use(await createMigratedPostgres());
  const value = askForValue(postgres);
  const { accountId, coachId } = await insertCoach(postgres);
  const newId = () => crypto.randomUUID();
  const begin = ({ threadId, content = "Q", runId, key, fingerprint = "f" }: Begin) =>
    beginTurn(postgres, {
      account_id: accountId,
      thread_id: threadId ?? null,
      coach_id: coachId,
      content,
      run_id: runId,
      ...(key ? { idempotency_key: key, fingerprint } : {}),
    });
  /** Saves a turn; returns the reason to end its run, or null. */
  const save = async (turn: Record<string, unknown>): Promise<string | null> => {
    const [ended, ...others] = await value("select save_turns($1)", [JSON.stringify([turn])]);
    assertEquals([ended?.message_id ?? turn.message_id, others], [turn.message_id, []]);
    return ended?.reason ?? null;
  };
  const stored = (id: string) => value("select to_json(m) from messages m where id = $1", [id]);
  const messagesOf = (threadId: string) =>
    value("select json_agg(content order by created_at, sequence) from messages where thread_id = $1", [threadId]);

  const retry = (id: string, runId: string) =>
    beginTurn(postgres, { account_id: accountId, user_id: null, retried_id: id, run_id: runId });
  /** A complete answer that is run again; the text and the state that are stored, and what its reader is shown. */
  async function rerun() {
    const [id, again] = [newId(), newId()];
    await begin({ runId: id });
    const fields = { content: "the old one", response_id: `${id}-1`, input_tokens: 5, sources: [] };
    await save({ message_id: id, run_id: id, status: "complete", ...fields });
    const before = await stored(id);
    const begun = await retry(id, again);
    const look = async () => {
      const { content, status } = await stored(id);
      return [
        content,
        status,
        (await value("select read_answer($1, null, $2, 0)", [{ account_id: accountId }, id])).content,
      ];
    };
    const write = (status: string, content: string | null, content_from = 0) =>
      save({ message_id: id, run_id: again, status, content, content_from, response_id: `${id}-2` });
    return { id, again, before, begun, look, write };
  }
  const isAsBefore = async (id: string, before: Record<string, unknown>) => {
    const { updated_at: _, ...after } = await stored(id);
    assertEquals({ ...after, updated_at: before.updated_at }, before);
  };
  const isRemoved = (id: string) =>
    value("select exists(select from private.response_removals where response_id = $1)", [id]);
  return handOver(stack, {
    postgres,
    value,
    accountId,
    coachId,
    newId,
    begin,
    save,
    stored,
    messagesOf,
    retry,
    rerun,
    isAsBefore,
    isRemoved,
  });
}

Deno.test("calls of a turn that arrive twice, late, or from a run given up as dead", async (t) => {
  await using prepared = await prepare();
  const { postgres, value, newId, begin, save, stored, messagesOf } = prepared;

  await t.step("a call that arrives twice writes one question and one answer", async () => {
    const runId = newId();
    const [first, second] = [await begin({ runId }), await begin({ runId })];
    assertEquals(second, first);
    assertEquals(first.message_id, runId);
    assertEquals(await messagesOf(first.thread_id), ["Q", ""]);
    const next = newId();
    const [third, fourth] = [
      await begin({ runId: next, threadId: first.thread_id }),
      await begin({ runId: next, threadId: first.thread_id }),
    ];
    assertEquals(fourth, third);
    assertEquals(third.history, [{ role: "user", content: "Q" }]);
    assertEquals(await messagesOf(first.thread_id), ["Q", "", "Q", ""]);
  });

  await t.step(
    "with an idempotency key too: the second call gets the same reply, not that of a repeated key",
    async () => {
      const [runId, key] = [newId(), newId()];
      const [first, second] = [await begin({ runId, key }), await begin({ runId, key })];
      assertEquals(second, first);
      // The same holds for a call that runs a failed turn again.
      await save({ message_id: runId, run_id: runId, status: "failed", content: "half" });
      const again = newId();
      const [third, fourth] = [await begin({ runId: again, key }), await begin({ runId: again, key })];
      assertEquals(fourth, third);
      assertEquals([third.message_id, (await stored(runId)).run_id], [runId, again]);
      assert("earlier" in await begin({ runId: newId(), key }));
    },
  );

  await t.step("a key expires after 24 hours, not before", async () => {
    const key = newId();
    const { message_id: id } = await begin({ runId: newId(), key });
    const age = (interval: string) =>
      postgres.query(
        "update private.idempotency_keys set created_at = now() - $1::interval where message_id = $2",
        [interval, id],
      );
    await age("23 hours 59 minutes");
    assertEquals((await begin({ runId: newId(), key })).earlier.message_id, id);
    assertEquals(await begin({ runId: newId(), key, fingerprint: "other" }), { error: "idempotency_key_reused" });
    await age("24 hours 1 minute");
    const renewed = await begin({ runId: newId(), key, fingerprint: "other" });
    assertNotEquals(renewed.message_id, id);
    assertEquals((await begin({ runId: newId(), key, fingerprint: "other" })).earlier.message_id, renewed.message_id);
  });

  await t.step("expired keys do not pile up", async () => {
    for (let index = 0; index < 3; index++) await begin({ runId: newId(), key: newId() });
    await postgres.query("update private.idempotency_keys set created_at = now() - interval '2 days'");
    await begin({ runId: newId(), key: newId() });
    assertEquals(await value("select count(*)::int from private.idempotency_keys"), 1);
  });

  await t.step("saves of an earlier run are not accepted", async () => {
    const [runId, key, again] = [newId(), newId(), newId()];
    await begin({ runId, key });
    await save({ message_id: runId, run_id: runId, status: "failed", content: "half" });
    await begin({ runId: again, key });
    for (const status of ["streaming", "complete", "stopped", "failed"]) {
      assertEquals(await save({ message_id: runId, run_id: runId, status, content: "late" }), "lost");
    }
    assertEquals(await save({ message_id: runId, run_id: again, status: "streaming", content: "new" }), null);
    const { content, status } = await stored(runId);
    assertEquals([content, status], ["new", "streaming"]);
  });

  await t.step("beginning a finished turn a second time changes nothing", async () => {
    const runId = newId();
    await begin({ runId });
    await save({ message_id: runId, run_id: runId, status: "complete", content: "all of it" });
    await begin({ runId });
    const { content, status } = await stored(runId);
    assertEquals([content, status], ["all of it", "complete"]);
  });

  await t.step("text that is not final never replaces longer text", async () => {
    const runId = newId();
    await begin({ runId });
    const write = async (status: string, content: string) => {
      await save({ message_id: runId, run_id: runId, status, content });
      return (await stored(runId)).content;
    };
    assertEquals(await write("streaming", "one two"), "one two");
    assertEquals(await write("streaming", "one"), "one two");
    assertEquals(await write("failed", "one"), "one two");
    // A run that was given up as dead may still save more text.
    assertEquals(await write("failed", "one two three"), "one two three");
  });
});

Deno.test("pieces of an answer that arrive twice, late, or from an earlier run", async (t) => {
  await using prepared = await prepare();
  const { postgres, value, accountId, newId, begin, save, stored } = prepared;

  await t.step("a piece goes on where it says, in characters, and can be repeated", async () => {
    const runId = newId();
    await begin({ runId });
    const write = async (content_from: number, content: string) => {
      const remark = await save({ message_id: runId, run_id: runId, status: "streaming", content, content_from });
      return [(await stored(runId)).content, remark];
    };
    assertEquals(await write(0, "a😀b"), ["a😀b", null]);
    assertEquals(await write(3, "cd"), ["a😀bcd", null]);
    assertEquals(await write(3, "cd"), ["a😀bcd", null]);
    // A piece after one that got lost begins where that began.
    assertEquals(await write(3, "cdef"), ["a😀bcdef", null]);
    assertEquals(await write(7, ""), ["a😀bcdef", null]);
    // An earlier save that arrives late.
    assertEquals(await write(0, "a😀b"), ["a😀bcdef", null]);
    assertEquals(await write(3, "cd"), ["a😀bcdef", null]);
    assertEquals(await write(8, "h"), ["a😀bcdef", "gap"]);
    assertEquals(await write(0, "a😀bcdefgh"), ["a😀bcdefgh", null]);
  });

  await t.step("an end that is a piece goes on with the text, and is accepted twice", async () => {
    for (const status of ["complete", "stopped", "failed"]) {
      const runId = newId();
      await begin({ runId });
      await save({ message_id: runId, run_id: runId, status: "streaming", content: "so far" });
      const end = (content_from: number, content: string) =>
        save({ message_id: runId, run_id: runId, status, content, content_from });
      assertEquals(await end(7, "too far"), "gap");
      assertEquals((await stored(runId)).status, "streaming");
      assertEquals(await end(6, ", so good"), null);
      // An answer that has failed or was stopped may have been changed by a reader: that is not looked into.
      assertEquals(await end(6, ", so good"), status === "complete" ? null : "gap");
      assertEquals(await end(0, "so far, so good"), null);
      const answer = await stored(runId);
      assertEquals([answer.content, answer.status], ["so far, so good", status]);
    }
  });

  await t.step("an end that is another piece than the stored one is not taken for it", async () => {
    const runId = newId();
    await begin({ runId });
    const end = (content_from: number, content: string) =>
      save({ message_id: runId, run_id: runId, status: "complete", content, content_from });
    assertEquals(await end(0, "abc"), null);
    const cases = [[0, "abc"], [1, "bc"], [3, ""], [4, ""], [2, ""], [1, "bd"], [3, "d"], [1, "b"]] as const;
    const found = [];
    for (const [from, content] of cases) found.push(await end(from, content));
    assertEquals(found, [null, null, null, "lost", "lost", "lost", "lost", "lost"]);
    assertEquals((await stored(runId)).content, "abc");
  });

  await t.step("a run goes on with nothing but its own text: after a reader's it saves the whole", async () => {
    const runId = newId();
    await begin({ runId });
    const write = (fields: Record<string, unknown>) => save({ message_id: runId, run_id: runId, ...fields });
    await write({ status: "streaming", content: "mine, " });
    await postgres.query("update messages set updated_at = now() - interval '31 seconds' where id = $1", [runId]);
    await save({ message_id: runId, status: "failed", content: "a reader's" });
    // Progress is not stored any more, as ever.
    assertEquals(await write({ status: "streaming", content: "and", content_from: 6 }), null);
    const end = { status: "complete", response_id: "resp_1", other_response_ids: ["resp_0"] };
    assertEquals(await write({ ...end, content: "done", content_from: 9 }), "gap");
    assertEquals((await stored(runId)).content, "a reader's");
    // The end will come again: its responses are still wanted.
    const listed = "select count(*)::int from private.response_removals where response_id in ('resp_0', 'resp_1')";
    assertEquals(await value(listed), 0);
    assertEquals(await write({ ...end, content: "mine, and done" }), null);
    assertEquals((await stored(runId)).content, "mine, and done");
    assertEquals(await value(listed), 0);
  });

  await t.step("a stop by force asks the run for its whole text, which then becomes the answer", async () => {
    const runId = newId();
    await begin({ runId });
    const write = (fields: Record<string, unknown>) => save({ message_id: runId, run_id: runId, ...fields });
    await write({ status: "streaming", content: "one" });
    await value("select stop_turn($1, null, $2, true)", [{ account_id: accountId }, runId]);
    assertEquals(await write({ status: "streaming", content: " two", content_from: 3 }), "stopped");
    const end = { status: "stopped", input_tokens: 5 };
    assertEquals(await write({ ...end, content: " two", content_from: 3 }), "gap");
    assertEquals(await write({ ...end, content: "one two" }), null);
    const { content, status, input_tokens } = await stored(runId);
    assertEquals([content, status, input_tokens], ["one two", "stopped", 5]);
  });

  await t.step("a piece of an earlier run, or of a deleted answer, is lost", async () => {
    const [runId, key, again] = [newId(), newId(), newId()];
    const { thread_id: threadId } = await begin({ runId, key });
    await save({ message_id: runId, run_id: runId, status: "failed", content: "half" });
    await begin({ runId: again, key });
    const write = (status: string) =>
      save({ message_id: runId, run_id: runId, status, content: " more", content_from: 4 });
    assertEquals([await write("streaming"), await write("complete")], ["lost", "lost"]);
    // What had failed stays until the new run has some text.
    assertEquals((await stored(runId)).content, "half");
    await postgres.query("delete from threads where id = $1", [threadId]);
    assertEquals([await write("streaming"), await write("complete")], ["lost", "lost"]);
  });
});

Deno.test("a second run of an answer", async (t) => {
  await using prepared = await prepare();
  const { postgres, value, accountId, coachId, newId, save, stored, retry, rerun, isAsBefore, isRemoved } = prepared;

  await t.step("a retry that arrives twice begins one run, and one of somebody else follows it", async () => {
    const { id, again, begun, look } = await rerun();
    assertEquals(begun.question, { message: "Q", mode: null });
    assertEquals(await retry(id, again), begun);
    assertEquals((await retry(id, newId())).earlier.run_id, again);
    assertEquals(await look(), ["the old one", "streaming", ""]);
  });

  await t.step("the text of a second run is its own, from its first character on", async () => {
    const { write, look } = await rerun();
    // News without text: a response has begun.
    assertEquals([await write("streaming", ""), ...await look()], [null, "the old one", "streaming", ""]);
    assertEquals([await write("streaming", "x", 5), ...await look()], ["gap", "the old one", "streaming", ""]);
    assertEquals([await write("streaming", "new"), ...await look()], [null, "new", "streaming", "new"]);
    assertEquals([await write("streaming", "er", 3), ...await look()], [null, "newer", "streaming", "newer"]);
    assertEquals([await write("streaming", "n"), ...await look()], [null, "newer", "streaming", "newer"]);
    assertEquals([await write("complete", "!", 5), ...await look()], [null, "newer!", "complete", "newer!"]);
    assertEquals(await write("complete", "!", 5), null);
  });

  await t.step("a second run that ends without text, or fails, leaves what was before", async () => {
    for (const [status, content] of [["failed", ""], ["failed", "half"], ["stopped", ""], ["complete", ""]] as const) {
      for (const isSavedBefore of [false, true]) {
        const { id, before, write } = await rerun();
        if (isSavedBefore) await write("streaming", content);
        assertEquals(await write(status, content), null);
        await isAsBefore(id, before);
        assertEquals([await isRemoved(`${id}-1`), await isRemoved(`${id}-2`)], [false, true]);
        assertEquals(await write("complete", "late"), "lost");
        await isAsBefore(id, before);
      }
    }
  });

  await t.step(
    "a second run that is given up as dead leaves what was before, or becomes what is recovered",
    async () => {
      for (const said of ["", "half"]) {
        for (const recovered of [null, "all of it"]) {
          const { id, before, write, look } = await rerun();
          await write("streaming", said);
          const end = { message_id: id, status: recovered ? "complete" : "failed", content: recovered };
          await save(end);
          assertEquals((await look())[1], "streaming");
          await postgres.query("update messages set updated_at = now() - interval '31 seconds' where id = $1", [id]);
          await save({ ...end, response_id: `${id}-2` });
          if (recovered) assertEquals(await look(), [recovered, "complete", recovered]);
          else await isAsBefore(id, before);
          assertEquals(await isRemoved(`${id}-1`), recovered !== null);
        }
      }
    },
  );

  await t.step("a second run that is stopped by force", async () => {
    for (const said of ["", "half"]) {
      const { id, before, write, look } = await rerun();
      await write("streaming", said);
      await value("select stop_turn($1, null, $2, true)", [{ account_id: accountId }, id]);
      if (said === "") await isAsBefore(id, before);
      else assertEquals(await look(), ["half", "stopped", "half"]);
      assertEquals([await isRemoved(`${id}-1`), await isRemoved(`${id}-2`)], [said !== "", said === ""]);
      // What the run still has is added to its own text only.
      await write("stopped", "half and more");
      assertEquals((await look())[0], said === "" ? "the old one" : "half and more");
    }
  });

  await t.step("a thread knows its messages after each end of a second run", async () => {
    const { id, begun, write } = await rerun();
    const settled = () => value("select settled_count from threads where id = $1", [begun.thread_id]);
    assertEquals(await settled(), 0);
    await write("streaming", "half");
    await write("failed", "half");
    assertEquals([await settled(), (await stored(id)).content], [2, "the old one"]);
  });

  await t.step("a key that is bound to other coaches finds no answer to run again", async () => {
    const { id, again } = await rerun();
    const asked = (coachIds: string[] | null, runId: string) =>
      value(
        `select private.begin_unusual(private.caller_of($1, null, $2),
          jsonb_populate_record(null::private.turn_request, $3))`,
        [accountId, coachIds, { retried_id: id, run_id: runId }],
      );
    assertEquals(await asked(["other"], newId()), { error: "message_not_found" });
    assertEquals((await asked([coachId], newId())).earlier.run_id, again);
  });
});

Deno.test("ends of an answer, from its run and from a reader", async (t) => {
  await using prepared = await prepare();
  const { postgres, value, accountId, newId, begin, save, stored } = prepared;

  await t.step("an end that arrives twice is accepted both times", async () => {
    for (const status of ["complete", "stopped", "failed"]) {
      const runId = newId();
      await begin({ runId });
      const end = () => save({ message_id: runId, run_id: runId, status, content: "said" });
      assertEquals([await end(), await end()], [null, null]);
    }
  });

  await t.step("a reader may end only an answer without a sign of life for 30 seconds", async () => {
    const runId = newId();
    await begin({ runId });
    const end = async (silence: string) => {
      await postgres.query("update messages set updated_at = now() - $1::interval where id = $2", [silence, runId]);
      await save({ message_id: runId, status: "failed" });
      return (await stored(runId)).status;
    };
    assertEquals(await end("29 seconds"), "streaming");
    assertEquals(await end("31 seconds"), "failed");
  });

  await t.step("a save without text is a sign of life, and keeps the text", async () => {
    const runId = newId();
    await begin({ runId });
    await save({ message_id: runId, run_id: runId, status: "streaming", content: "text" });
    const touch = async (silence: string) => {
      await postgres.query("update messages set updated_at = now() - $1::interval where id = $2", [silence, runId]);
      await save({ message_id: runId, run_id: runId, status: "streaming" });
      return await value("select updated_at > now() - interval '1 second' from messages where id = $1", [runId]);
    };
    assertEquals([await touch("9 seconds"), await touch("11 seconds")], [false, true]);
    assertEquals((await stored(runId)).content, "text");
  });

  await t.step(
    "a save returns a reason to end when a stop was requested, and when the answer is finished or deleted",
    async () => {
      const runId = newId();
      const { thread_id: threadId } = await begin({ runId });
      const progress = () => save({ message_id: runId, run_id: runId, status: "streaming" });
      const set = (assignment: string) => postgres.query(`update messages set ${assignment} where id = $1`, [runId]);
      assertEquals(await progress(), null);
      await value("select stop_turn($1, null, $2, false)", [{ account_id: accountId }, runId]);
      assertEquals(await progress(), "stopped");
      await set("stop_requested_at = null, status = 'stopped'");
      assertEquals(await progress(), "stopped");
      await set("status = 'complete'");
      assertEquals(await progress(), "lost");
      // A run that was only given up as dead may still save the whole answer.
      await set("status = 'failed'");
      assertEquals(await progress(), null);
      await postgres.query("delete from threads where id = $1", [threadId]);
      assertEquals(await progress(), "lost");
    },
  );

  await t.step("read_answers checks account and user of each request, and replies in their order", async () => {
    const runId = newId();
    const { thread_id: threadId } = await begin({ runId });
    await save({ message_id: runId, run_id: runId, status: "complete", content: "a😀bc", response_id: "resp_1" });
    const ask = (...asked: Record<string, unknown>[]) =>
      value("select read_answers($1)", [
        JSON.stringify(asked.map((each) => ({ message_id: runId, after: 0, ...each }))),
      ]);
    const [whole, otherAccount, rest, otherUser, otherMessage] = await ask(
      { account_id: accountId, user_id: null },
      { account_id: newId(), user_id: "u" },
      { account_id: accountId, user_id: "u", after: 2 },
      { account_id: accountId, user_id: "another" },
      { account_id: accountId, message_id: newId() },
    );
    assertEquals([otherAccount, otherUser, otherMessage], [null, null, null]);
    assertEquals([whole.content, rest.content], ["a😀bc", "bc"]);
    assertEquals([whole.thread_id, whole.status, whole.response_id, whole.is_abandoned], [
      threadId,
      "complete",
      "resp_1",
      false,
    ]);
    assertEquals(await ask(), []);
  });
});
