import { assert, assertEquals, assertMatch, assertNotEquals, assertRejects } from "../support/assert.ts";
import { handOver } from "../support/hand_over.ts";
import { askForValue, beginTurn, createMigratedPostgres, insertCoach } from "../support/migrated_postgres.ts";

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const postgres = stack.use(await createMigratedPostgres());
  const value = askForValue(postgres);
  const { accountId, coachId } = await insertCoach(postgres);
  const begin = (threadId: string | null, content = "Q", mode: string | null = null) =>
    beginTurn(postgres, { account_id: accountId, thread_id: threadId, coach_id: coachId, content, mode });
  /** Saves an answer as its first run, which has the same id. */
  const save = (turn: Record<string, unknown>) =>
    postgres.query("select save_turns($1)", [JSON.stringify([{ run_id: turn.message_id, ...turn }])]);
  const message = (id: string) => value("select to_json(m) from messages m where id = $1", [id]);
  /** The name under which the requests of a user of a key are counted. */
  const hash = (key: { id: string }, userId: string) =>
    value("select to_json(private.hash_user(key, $2)) from private.api_keys as key where id = $1", [key.id, userId]);
  return handOver(stack, { postgres, value, hash, accountId, coachId, begin, save, message });
}

Deno.test("the SQL functions of limits", async (t) => {
  await using prepared = await prepare();
  const { postgres, value, accountId } = prepared;

  await t.step("each window of a key ends independently of the others, and a new one begins", async () => {
    const key = await value(
      "select issue_api_key($1, 'k', requests_per_minute => 2, requests_per_hour => 3, requests_per_day => 4)",
      [accountId],
    );
    const digest = await value("select digest from private.api_keys where id = $1", [key.id]);
    const spend = async () => (await value("select admit_request($1)", [{ key_digest: digest }])).admission.spent;
    const end = (window: string) =>
      postgres.query(
        `update private.rate_limit_windows set ${window}_ends_at = now() - interval '1 second' where api_key_id = $1`,
        [key.id],
      );
    const allowed = [];
    for (const ending of [null, null, null, "minute", null, "minute", "hour", null, "day", "minute"]) {
      if (ending) await end(ending);
      allowed.push((await spend()).is_allowed);
    }
    // The minute allows two; a new minute the third of the hour; a new hour the fourth of the day; then comes a new
    // day.
    assertEquals(allowed, [true, true, false, true, false, false, true, false, true, true]);
    // Of windows without room, the one that ends last is told.
    for (const window of ["minute", "hour"]) {
      await postgres.query(`update private.rate_limit_windows set ${window}_used = 9 where api_key_id = $1`, [key.id]);
    }
    assert((await spend()).retry_after > 60);
  });

  await t.step("what all of a key share is the sum of its lanes; near the limit, all of them are locked", async () => {
    const key = await value("select issue_api_key($1, 'k', requests_per_minute => 31)", [accountId]);
    const digest = await value("select digest from private.api_keys where id = $1", [key.id]);
    const admit = async () => (await value("select admit_request($1)", [{ key_digest: digest }])).admission.spent;
    const used = (lane: string, requests: number) =>
      postgres.query(
        `update private.rate_limit_windows set minute_used = $2, minute_ends_at = now() + interval '30 seconds'
         where api_key_id = $1 and lane ${lane} pg_backend_pid() % 4`,
        [key.id, requests],
      );
    /** As a request does that has seen room for all lanes, before the others came. */
    const spendOne = (more = {}) =>
      value(
        `select private.answer(jsonb_populate_record(null::private.caller, jsonb_build_object('api_key', key,
           'is_tight', false, 'is_counted', true, 'is_origin_allowed', true) || $2))->'admission'->'spent'
         from private.api_keys as key where id = $1`,
        [key.id, more],
      );
    assertEquals((await admit()).remaining, 30);
    await used("=", 3);
    await used("<>", 1);
    assertEquals((await spendOne()).remaining, 24);
    await assertRejects(spendOne, Error, "The limit has come near meanwhile");
    // Every SQL error sets the exit code of this process; undo that.
    Deno.exitCode = 0;
    await used("=", 25);
    const admitted = [];
    for (let request = 0; request < 5; request++) {
      const { is_allowed, remaining } = await admit();
      admitted.push([is_allowed, remaining]);
    }
    assertEquals(admitted, [[true, 2], [true, 1], [true, 0], [false, 0], [false, 0]]);
    const change = { is_tight: true, is_admitted: true, is_change: true };
    await assertRejects(() => spendOne(change), Error, "The limit was reached meanwhile");
    Deno.exitCode = 0;
    // What the lanes counted in a minute that has ended counts no more, and the next minute is theirs together.
    await postgres.query(
      "update private.rate_limit_windows set minute_ends_at = now() - interval '1 second' where api_key_id = $1",
      [key.id],
    );
    assertEquals((await admit()).remaining, 30);
    await used("=", 1);
    await used("<>", 10);
    assertEquals(await admit().then(({ is_allowed, remaining }) => [is_allowed, remaining]), [false, 0]);
  });

  await t.step("the successor of a key lives as long as it was to live, not until then", async () => {
    const key = await value("select issue_api_key($1, 'k', expires_at => now() + interval '60 days')", [accountId]);
    await postgres.query("update private.api_keys set created_at = now() - interval '30 days' where id = $1", [key.id]);
    const { expires_at } = await value("select rotate_api_key($1)", [key.id]);
    assertEquals(Math.round((Date.parse(expires_at) - Date.now()) / (24 * 60 * 60_000)), 90);
  });
});

Deno.test("the SQL functions of the limits of publishable keys", async (t) => {
  await using prepared = await prepare();
  const { postgres, value, hash, accountId, coachId } = prepared;

  await t.step("anonymous users share a part of the same windows, which ends with them", async () => {
    const key = await value(
      `select issue_publishable_key($1, 'p', array['https://a.example'], total_per_minute => 12,
         anonymous_total_per_minute => 6)`,
      [accountId],
    );
    const digest = await value("select digest from private.api_keys where id = $1", [key.id]);
    const admit = async (is_anonymous: boolean) => {
      const caller = { key_digest: digest, user_id: crypto.randomUUID(), is_anonymous, origin: "https://a.example" };
      return (await value("select admit_request($1)", [caller])).admission.spent.is_allowed;
    };
    const counted = () =>
      value(
        `select sum(minute_used) || ' ' || sum(minute_anonymous) || ' ' || sum(day_anonymous)
         from private.rate_limit_windows where api_key_id = $1 and user_hash = ''`,
        [key.id],
      );
    const allowed = [];
    for (const isAnonymous of [true, false, true, true, true, true, true, true, false, true]) {
      allowed.push(await admit(isAnonymous));
    }
    assertEquals(allowed, [true, true, true, true, true, true, true, false, true, false]);
    assertEquals(await counted(), "8 6 6");
    await postgres.query(
      "update private.rate_limit_windows set minute_ends_at = now() - interval '1 second' where api_key_id = $1",
      [key.id],
    );
    assertEquals([await admit(true), await counted()], [true, "1 1 7"]);
  });

  await t.step("a further call of a request is its user's, whomever it names, and ends with the key", async () => {
    const key = await value("select issue_publishable_key($1, 'p', array['https://a.example'])", [accountId]);
    const readmit = (more = {}) =>
      value("select (private.readmit($1, 'another')).user_id", [{
        account_id: accountId,
        api_key_id: key.id,
        ...more,
      }]);
    assertEquals([await readmit({ user_id: "u" }), await readmit()], ["u", ""]);
    await postgres.query("delete from private.api_keys where id = $1", [key.id]);
    await assertRejects(readmit, Error, "The API key was deleted meanwhile");
    Deno.exitCode = 0;
  });

  await t.step(
    "of a publishable key, a user is given back what was taken where all together have no room",
    async () => {
      const key = await value(
        "select issue_publishable_key($1, 'p', array['https://a.example'], total_per_minute => 1)",
        [
          accountId,
        ],
      );
      /** As a request does that has seen room, before the others came. */
      const spend = (user: string) =>
        value(
          `select private.answer(jsonb_populate_record(null::private.caller, jsonb_build_object('api_key', key,
             'user_id', $2::text, 'is_tight', true, 'is_counted', true, 'is_origin_allowed', true)))->'admission'->'spent'
           from private.api_keys as key where id = $1`,
          [key.id, user],
        );
      assertEquals([(await spend("first")).is_allowed, (await spend("late")).is_allowed], [true, false]);
      assertEquals(
        await value(
          `select json_object_agg(user_hash, used) from (
           select user_hash, sum(minute_used) || ' ' || sum(hour_used) || ' ' || sum(day_used) as used
           from private.rate_limit_windows where api_key_id = $1 group by user_hash
         ) as counted`,
          [key.id],
        ),
        { "": "1 1 1", [await hash(key, "first")]: "1 1 1", [await hash(key, "late")]: "0 0 0" },
      );
    },
  );

  await t.step(
    "of a publishable key, the counts of users name nobody, and stay until their day has ended, whoever is erased",
    async () => {
      const key = await value("select issue_publishable_key($1, 'page', array['https://a.example'])", [accountId]);
      const digest = await value("select digest from private.api_keys where id = $1", [key.id]);
      const counted = () =>
        value("select json_agg(distinct user_hash) from private.rate_limit_windows where api_key_id = $1", [key.id]);
      for (const user_id of ["here", "gone", "erased"]) {
        await postgres.query("select admit_request($1)", [{
          key_digest: digest,
          user_id,
          origin: "https://a.example",
        }]);
      }
      const [here, gone, erased] = [await hash(key, "here"), await hash(key, "gone"), await hash(key, "erased")];
      assertMatch(here, /^[0-9a-f]{64}$/);
      assertEquals(await counted(), ["", here, gone, erased].toSorted());
      await postgres.query(
        "update private.rate_limit_windows set day_ends_at = now() - interval '1 second' where user_hash in ('', $1)",
        [gone],
      );
      await postgres.query("select take_indexing_work()");
      assertEquals(await counted(), ["", here, erased].toSorted());
      await postgres.query("insert into threads (coach_id, user_id) values ($1, 'erased')", [coachId]);
      await postgres.query("select erase_user($1, 'erased')", [accountId]);
      assertEquals(await counted(), ["", here, erased].toSorted());
    },
  );

  await t.step("the same user has another hash with another key, and another account key", async () => {
    const issue = () => value("select issue_publishable_key($1, 'page', array['https://a.example'])", [accountId]);
    const [one, other] = [await issue(), await issue()];
    const before = await hash(one, "u");
    assertNotEquals(before, await hash(other, "u"));
    await postgres.query("update accounts set hash_key = gen_random_uuid() where id = $1", [accountId]);
    assertNotEquals(before, await hash(one, "u"));
  });
});

Deno.test("the SQL functions of callers and turns", async (t) => {
  await using prepared = await prepare();
  const { postgres, value, accountId, coachId, begin } = prepared;

  await t.step("nobody signed in: the work is not done, and nothing is spent", async () => {
    const key = await value("select issue_publishable_key($1, 'page', array['https://a.example'])", [accountId]);
    const digest = await value("select digest from private.api_keys where id = $1", [key.id]);
    const caller = { key_digest: digest, scope: "threads:read", origin: "https://a.example" };
    for (const user_id of [undefined, null]) {
      const reply = await value("select list_threads($1, 'u')", [{ ...caller, user_id }]);
      assertEquals([reply.result, reply.admission.spent.remaining], [undefined, 6_000]);
    }
    const reply = await value("select list_threads($1, 'u')", [{ ...caller, user_id: "u" }]);
    assertEquals([reply.result.count, reply.admission.spent.remaining], [0, 59]);
  });

  await t.step("strangers with a publishable key are no usage, and an admitted caller fails closed", async () => {
    const key = await value("select issue_publishable_key($1, 'page', array['https://a.example'])", [accountId]);
    const digest = await value("select digest from private.api_keys where id = $1", [key.id]);
    await postgres.query("select admit_request($1)", [{ key_digest: digest, origin: "https://a.example" }]);
    const used = await value(
      "select json_build_object('last', last_used_at, 'counts', (select count(*) from private.ledger where api_key_id = k.id)) from private.api_keys k where id = $1",
      [key.id],
    );
    assertEquals(used, { last: null, counts: 0 });
    const search = (caller: object) => value("select search_knowledge($1, $2)", [caller, coachId]);
    assertEquals(await search({ account_id: accountId, api_key_id: key.id }), { error: "not_the_coach" });
  });

  await t.step("the time of the last use is stored to the minute", async () => {
    const key = await value("select issue_api_key($1, 'used')", [accountId]);
    const column = (name: string) => value(`select ${name} from private.api_keys where id = $1`, [key.id]);
    assertEquals(await column("last_used_at"), null);
    const digest = await column("digest");
    await postgres.query("select admit_request($1)", [{ key_digest: digest, is_counted: false }]);
    const first = await column("last_used_at::text");
    await postgres.query("select admit_request($1)", [{ key_digest: digest, is_counted: false }]);
    assertEquals(await column("last_used_at::text"), first);
    await postgres.query("update private.api_keys set last_used_at = now() - interval '2 minutes' where id = $1", [
      key.id,
    ]);
    await postgres.query("select admit_request($1)", [{ key_digest: digest, is_counted: false }]);
    assert(await column("last_used_at > now() - interval '1 minute'"));
  });

  await t.step("a turn stores its mode with the question, and times rise even when the clock does not", async () => {
    const { thread_id: threadId } = await begin(null, "Q", "exam");
    await postgres.query("update threads set updated_at = now() + interval '1 hour' where id = $1", [threadId]);
    await begin(threadId);
    const rows = (await postgres.query<{ mode: string; ms: number }>(
      "select mode, extract(epoch from created_at)::float8 * 1000 as ms from messages where thread_id = $1 order by sequence",
      [threadId],
    )).rows;
    assertEquals(rows.map(({ mode }) => mode), ["exam", null, null, null]);
    for (const [index, { ms }] of rows.entries()) assert(index === 0 || ms > rows[index - 1]!.ms);
  });

  await t.step("answers without text are left out of the history", async () => {
    const { thread_id: threadId } = await begin(null, "unanswered");
    const { history } = await begin(threadId, "again");
    assertEquals(history, [{ role: "user", content: "unanswered" }]);
  });

  await t.step("the history holds the newest messages within the limits, in whole exchanges", async () => {
    const { thread_id: threadId } = await begin(null, "q");
    await postgres.query("delete from messages where thread_id = $1", [threadId]);
    const say = (role: string, content: string) =>
      postgres.query(
        "insert into messages (thread_id, role, content, created_at) values ($1, $2, $3, now() - interval '1 hour')",
        [threadId, role, content],
      );
    /** The texts that `begin_turn` gives, with a limit of characters and one of messages. */
    const texts = async (characters: number | null, messages = 20) => {
      await postgres.query("update coach_profiles set history_limit = $1 where id = $2", [messages, coachId]);
      const begun = await beginTurn(postgres, {
        account_id: accountId,
        thread_id: threadId,
        coach_id: coachId,
        history_characters: characters,
      });
      await postgres.query("delete from messages where request_id = 'r' and thread_id = $1", [threadId]);
      return begun.history.map(({ content }: { content: string }) => content);
    };
    await say("assistant", "Welcome");
    assertEquals(await texts(null), ["Welcome"]);
    assertEquals(await texts(7), ["Welcome"]);
    assertEquals(await texts(6), []);
    await say("user", "one");
    await say("assistant", "😀😀😀😀");
    await say("user", "");
    await say("user", "three");
    await say("system", "rule");
    await say("assistant", "four");
    const all = ["Welcome", "one", "😀😀😀😀", "three", "rule", "four"];
    const cases: [string, number | null, number, string[]][] = [
      ["no limit", null, 20, all],
      ["a limit that fits exactly", 27, 20, all],
      ["one character fewer", 26, 20, all.slice(1)],
      ["just room for the question", 20, 20, all.slice(1)],
      ["room for an answer without its question", 19, 20, all.slice(3)],
      ["no room for an answer of astral characters", 16, 20, all.slice(3)],
      ["a question that is too long", 12, 20, ["rule", "four"]],
      ["room for the newest answer alone", 4, 20, []],
      ["no room", 0, 20, []],
      ["as many messages as there are", null, 6, all.slice(1)],
      ["a number of messages that ends with a question", null, 5, all.slice(1)],
      ["a number that ends with an answer", null, 4, all.slice(3)],
      ["both limits", 19, 4, all.slice(3)],
      ["one message", null, 1, []],
      ["no message", null, 0, []],
    ];
    for (const [name, characters, messages, expected] of cases) {
      assertEquals([name, await texts(characters, messages)], [name, expected]);
    }
    await postgres.query("update coach_profiles set history_limit = 20 where id = $1", [coachId]);
  });
});

Deno.test("the SQL functions that save answers", async (t) => {
  await using prepared = await prepare();
  const { postgres, accountId, coachId, begin, save, message } = prepared;

  await t.step("what the model server called a message is kept and comes back with the history", async () => {
    const { thread_id: threadId, message_id: id } = await begin(null);
    await save({ message_id: id, status: "streaming", content: "a", phase: "commentary" });
    await save({ message_id: id, status: "streaming", content: "ab", phase: "final_answer" });
    await save({ message_id: id, status: "complete", content: "ab" });
    assertEquals((await begin(threadId)).history, [
      { role: "user", content: "Q" },
      { role: "assistant", content: "ab", phase: "final_answer" },
    ]);
  });

  await t.step("a run that starts over forgets the phase of the one before", async () => {
    const again = (runId: string) =>
      beginTurn(postgres, {
        account_id: accountId,
        coach_id: coachId,
        run_id: runId,
        idempotency_key: "phase",
        fingerprint: "f",
      });
    const { message_id: id } = await again(crypto.randomUUID());
    await save({ message_id: id, status: "failed", content: "a", phase: "commentary" });
    await again(crypto.randomUUID());
    assertEquals((await message(id)).phase, null);
  });

  await t.step("a user has one hash per account, which only the account's key can make", async () => {
    const hash = async (user: string, account = { accountId, coachId }) =>
      (await beginTurn(postgres, { account_id: account.accountId, coach_id: account.coachId, user_id: user }))
        .user_hash;
    const ofAnn = await hash("ann");
    assertMatch(ofAnn, /^[0-9a-f]{64}$/);
    const { thread_id: threadId } = await beginTurn(postgres, {
      account_id: accountId,
      coach_id: coachId,
      user_id: "ann",
    });
    // The key alone, which names no user, continues the thread.
    const { user_hash: ofThread } = await beginTurn(postgres, {
      account_id: accountId,
      coach_id: coachId,
      thread_id: threadId,
      user_id: null,
    });
    const other = await insertCoach(postgres);
    assertEquals([await hash("ann"), ofThread], [ofAnn, ofAnn]);
    assertEquals(new Set([ofAnn, await hash("bob"), await hash("ann", other)]).size, 3);
    // Nor is it the same in an account that has the same key.
    await postgres.query(
      "update accounts set hash_key = (select hash_key from accounts where id = $1) where id = $2",
      [accountId, other.accountId],
    );
    assertNotEquals(await hash("ann", other), ofAnn);
    await postgres.query("update accounts set hash_key = gen_random_uuid() where id = $1", [accountId]);
    assertNotEquals(await hash("ann"), ofAnn);
  });

  await t.step("which state of an answer may follow which, from its run and from a reader", async () => {
    // For "stored, sent": the state afterwards when the run sends it, and when a reader does; null: unchanged.
    const states = {
      "streaming, streaming": ["streaming", "streaming"],
      "streaming, complete": ["complete", "complete"],
      "streaming, stopped": ["stopped", "stopped"],
      "streaming, failed": ["failed", "failed"],
      "failed, streaming": [null, null],
      "failed, complete": ["complete", "complete"],
      "failed, stopped": ["stopped", "stopped"],
      "failed, failed": ["failed", null],
      "stopped, streaming": [null, null],
      "stopped, complete": ["stopped", null],
      "stopped, stopped": ["stopped", null],
      "stopped, failed": [null, null],
      "complete, streaming": [null, null],
      "complete, complete": [null, null],
      "complete, stopped": [null, null],
      "complete, failed": [null, null],
    };
    for (const [name, [byRun, byReader]] of Object.entries(states)) {
      const [before, sent] = name.split(", ");
      for (const [who, expected] of [["run", byRun], ["reader", byReader]] as const) {
        const { message_id: id } = await begin(null);
        await postgres.query(
          "update messages set status = $1, content = 'old', updated_at = now() - interval '31 seconds' where id = $2",
          [before, id],
        );
        await save({
          message_id: id,
          status: sent,
          content: "new text",
          ...(who === "reader" ? { run_id: null } : {}),
        });
        const { status, content } = await message(id);
        assertEquals([name, who, status, content], [name, who, expected ?? before, expected ? "new text" : "old"]);
      }
    }
  });

  await t.step("saved sources stay when a later save has none", async () => {
    const { message_id: id } = await begin(null);
    await save({ message_id: id, status: "streaming", content: "a", sources: [{ number: 1, filename: "a.md" }] });
    await save({ message_id: id, status: "streaming", content: "ab" });
    await save({ message_id: id, status: "failed", content: "ab", sources: null });
    assertEquals((await message(id)).sources, [{ number: 1, filename: "a.md" }]);
  });
});

Deno.test("the SQL functions of turns move threads, and count what is said", async (t) => {
  await using prepared = await prepare();
  const { postgres, value, accountId, coachId, begin, save } = prepared;

  await t.step("the end of a turn moves its thread to the top of the list, progress does not", async () => {
    const { thread_id: threadId, message_id: id } = await begin(null);
    const updatedAt = () => value("select updated_at::text from threads where id = $1", [threadId]);
    const begun = await updatedAt();
    await save({ message_id: id, status: "streaming", content: "a" });
    assertEquals(await updatedAt(), begun);
    await value("select pg_sleep(0.01)");
    await save({ message_id: id, status: "complete", content: "ab" });
    assert(await updatedAt() > begun);
  });

  await t.step("a question moves its thread to the top of the list while its answer is being written", async () => {
    const userId = crypto.randomUUID();
    const ask = (threadId: string | null) =>
      beginTurn(postgres, { account_id: accountId, thread_id: threadId, coach_id: coachId, user_id: userId });
    const list = async () =>
      (await value("select list_threads($1, $2)", [{ account_id: accountId }, userId])).data.map((
        { id }: { id: string },
      ) => id);
    const [{ thread_id: first }, { thread_id: second }] = [await ask(null), await ask(null)];
    assertEquals(await list(), [second, first]);
    // In the first place of the list nothing has to move.
    await ask(second);
    assertEquals(await list(), [second, first]);
    const { message_id: id } = await ask(first);
    assertEquals(await list(), [first, second]);
    await ask(second);
    assertEquals(await list(), [second, first]);
    // The times of its messages rise by a millisecond at least, and may be ahead of the clock.
    await value("select pg_sleep(0.01)");
    await save({ message_id: id, status: "complete", content: "a" });
    assertEquals(await list(), [first, second]);
  });

  await t.step("a question comes after all that was said in its thread, whatever the time of the thread", async () => {
    const { thread_id: threadId } = await begin(null);
    await postgres.query("update messages set created_at = created_at + interval '1 hour' where thread_id = $1", [
      threadId,
    ]);
    await begin(threadId);
    const times = await value(
      "select array_agg(floor(extract(epoch from created_at) * 1000)::text order by sequence) from messages where thread_id = $1",
      [threadId],
    );
    assertEquals(times, [...new Set(times)].toSorted());
  });
});

Deno.test("the SQL functions of lists", async (t) => {
  await using prepared = await prepare();
  const { postgres, value, accountId, coachId, begin, save } = prepared;

  await t.step("a page counts what lists show: no system messages, and answers as soon as they have text", async () => {
    const { thread_id: threadId, message_id: id } = await begin(null);
    await postgres.query("insert into messages (thread_id, role, content) values ($1, 'system', 'rule')", [threadId]);
    const count = async () => {
      const [whole, page] = [
        await value("select list_messages($1, $2)", [{ account_id: accountId }, threadId]),
        await value("select list_messages($1, $2, page_size => 1)", [{ account_id: accountId }, threadId]),
      ];
      assertEquals(page.count, whole.count);
      assertEquals(whole.data.length, whole.count);
      return page.count;
    };
    assertEquals(await count(), 1);
    await save({ message_id: id, status: "streaming", content: "a" });
    assertEquals(await count(), 2);
    await save({ message_id: id, status: "complete", content: "ab" });
    assertEquals(await count(), 2);
    const { message_id: empty } = await begin(threadId);
    await save({ message_id: empty, status: "failed", content: "" });
    assertEquals(await count(), 3);
  });

  await t.step("with status, a page lists answers without text too, but does not count them", async () => {
    const { thread_id: threadId, message_id: id } = await begin(null);
    const list = async (page_size: number | null, is_newest_first: boolean) => {
      const { data, count } = await value(
        "select list_messages($1, $2, page_size => $3, is_newest_first => $4, include => '{status}')",
        [{ account_id: accountId }, threadId, page_size, is_newest_first],
      );
      return [data.map(({ status }: { status: string }) => status), count];
    };
    const pages = [[null, false], [null, true], [2, false], [2, true]] as const;
    for (
      const [status, content, counted] of [["streaming", "", 1], ["failed", "", 1], ["complete", "a", 2]] as const
    ) {
      await save({ message_id: id, status, content });
      for (const [size, isNewestFirst] of pages) {
        const listed = ["complete", status];
        assertEquals(await list(size, isNewestFirst), [isNewestFirst ? listed.toReversed() : listed, counted]);
      }
    }
  });

  await t.step("for a key of other coaches there are neither the messages nor an answer to rate", async () => {
    const { thread_id: threadId, message_id: id } = await begin(null);
    await save({ message_id: id, status: "complete", content: "a" });
    const ask = async (coachIds: string[] | null) => {
      const caller = await value(
        `insert into private.api_keys (account_id, digest, prefix, name, coach_ids)
         values ($1, gen_random_uuid(), 'p', 'n', $2)
         returning json_build_object('account_id', account_id, 'api_key_id', id)`,
        [accountId, coachIds],
      );
      return [
        await value("select list_messages($1, $2)->>'count'", [caller, threadId]),
        await value(
          "select coalesce(rated->>'error', rated->>'rating') from rate_answer($1, null, $2, $3, 'up', null) as rated",
          [caller, threadId, id],
        ),
      ];
    };
    for (const coachIds of [null, [coachId], ["other", coachId]]) assertEquals(await ask(coachIds), ["2", "up"]);
    for (const coachIds of [[], ["other"]]) assertEquals(await ask(coachIds), [null, "thread_not_found"]);
  });

  await t.step("lists show times in UTC with three digits of a second, whatever the session has set", async () => {
    const times = {
      "2026-11-20 16:03:33.14+00": "2026-11-20T16:03:33.140Z",
      "2026-11-20 16:03:33+00": "2026-11-20T16:03:33.000Z",
      "2026-11-20 16:03:33.0009+00": "2026-11-20T16:03:33.000Z",
      "2026-11-20 16:03:33.999999+00": "2026-11-20T16:03:33.999Z",
      "2026-12-31 23:30:00.5-01": "2027-01-01T00:30:00.500Z",
      "0001-01-01 00:00:00+00": "0001-01-01T00:00:00.000Z",
      "9999-12-31 23:59:59.999+00": "9999-12-31T23:59:59.999Z",
    };
    const { thread_id: threadId } = await begin(null);
    await postgres.exec("set timezone = 'Asia/Kathmandu'; set datestyle = 'German'");
    for (const [time, shown] of Object.entries(times)) {
      await postgres.query("update threads set created_at = $1, updated_at = $1 where id = $2", [time, threadId]);
      await postgres.query("update messages set created_at = $1 where thread_id = $2", [time, threadId]);
      const { data: threads } = await value("select list_threads($1, 'u')", [{ account_id: accountId }]);
      const listed = threads.find(({ id }: { id: string }) => id === threadId);
      const { data: [message] } = await value("select list_messages($1, $2)", [{ account_id: accountId }, threadId]);
      assertEquals([listed.created_at, listed.updated_at, message.created_at], [shown, shown, shown]);
    }
    await postgres.exec("reset timezone; reset datestyle");
  });

  await t.step("an answer is abandoned after 30 seconds of silence, not before", async () => {
    const { thread_id: threadId, message_id: id } = await begin(null);
    const list = async (silence: string) => {
      await postgres.query("update messages set updated_at = now() - $1::interval where id = $2", [silence, id]);
      return Object.keys(await value("select list_messages($1, $2)", [{ account_id: accountId }, threadId]));
    };
    assertEquals(await list("29 seconds"), ["data", "count"]);
    assertEquals(await list("31 seconds"), ["abandoned"]);
  });

  await t.step("a message inserted by hand moves its thread to the top of the list", async () => {
    const { thread_id: threadId } = await begin(null);
    await postgres.query("update threads set updated_at = now() - interval '1 day' where id = $1", [threadId]);
    await postgres.query("insert into messages (thread_id, role, content) values ($1, 'user', 'by hand')", [threadId]);
    assert(await value("select updated_at > now() - interval '1 minute' from threads where id = $1", [threadId]));
  });
});
