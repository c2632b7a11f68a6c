import { sha256Hex } from "../../shared/core/auth/digest.ts";
import { readQuestion } from "../../shared/core/questions/read_questions.ts";
import { assertEquals } from "../support/assert.ts";
import { handOver } from "../support/hand_over.ts";
import { askForValue, createMigratedPostgres, insertCoach, readInSql } from "../support/migrated_postgres.ts";

type Reply = {
  admission?: { account_id: string; spent: { is_allowed: boolean; remaining: number } };
  result?: {
    error?: string;
    history?: { content: string }[];
    message_id?: string;
    thread_id?: string;
    pinned?: { answer: string }[];
    earlier?: { content: string };
    allowance?: { output_tokens: number | null };
  };
  error_code?: string;
  message?: string;
  is_alone?: true | "once";
} | null;

/** A coach with a thread and a key, and calls that begin turns in it. */
async function prepare() {
  await using stack = new AsyncDisposableStack();
  const postgres = stack.use(await createMigratedPostgres());
  const value = askForValue(postgres);
  const { accountId, coachId } = await insertCoach(postgres);
  const keyOf = async (account: string, perMinute = 1_000): Promise<string> =>
    (await value("select issue_api_key($1, 'k', requests_per_minute => $2)", [account, perMinute])).api_key;
  const key = await keyOf(accountId);
  const threadId = await value("insert into threads (coach_id, user_id) values ($1, 'u') returning id", [coachId]);

  const call = (turn: object = {}, apiKey = key) => {
    const runId = crypto.randomUUID();
    const usual = { run_id: runId, thread_id: threadId, coach_id: coachId, content: "Q", title: "Q", request_id: "r" };
    return {
      caller: { key_digest: sha256Hex(apiKey), scope: "chat", is_counted: true },
      user_id: "u",
      turn: { ...usual, ...turn },
    };
  };
  const begin = async (calls: ReturnType<typeof call>[]): Promise<Reply[]> => {
    const text: string = await value("select begin_turns($1)::text", [JSON.stringify(calls)]);
    assertEquals(text.split("\n").length, calls.length, "each reply is a line");
    return JSON.parse(text);
  };
  const contents = async () =>
    await value("select json_agg(content order by created_at, sequence) from messages where thread_id = $1", [
      threadId,
    ]);
  return handOver(stack, { postgres, value, accountId, coachId, keyOf, key, threadId, call, begin, contents });
}

const verdict = (reply: Reply) =>
  reply?.error_code ??
    (reply?.is_alone ? `alone ${reply.is_alone}` : reply?.result?.error ?? (reply?.result ? "begun" : "refused"));

Deno.test("turns that begin in one call", async (t) => {
  await using prepared = await prepare();
  const { postgres, value, accountId, coachId, keyOf, call, begin, contents } = prepared;
  const stranger = await insertCoach(postgres);

  await t.step("each has a line, with what it would have got by itself", async () => {
    const calls = [call({ content: "one" }), call({ content: "two" })];
    const replies = await begin(calls);
    assertEquals(replies.map((reply) => reply?.result?.message_id), calls.map(({ turn }) => turn.run_id));
    assertEquals(replies.map((reply) => reply?.result?.history?.length), [0, 1]);
    assertEquals(await contents(), ["one", "", "two", ""]);
  });

  await t.step("one that is refused takes nothing of the others back", async () => {
    const before = await value("select count(*)::int from messages");
    const replies = await begin([
      call({ content: "three" }),
      call({ thread_id: crypto.randomUUID() }),
      call({ content: "four" }, "hic_unknown"),
      call({}, await keyOf(stranger.accountId)),
      call({ content: "five" }),
    ]);
    assertEquals(replies.map(verdict), ["begun", "thread_not_found", "refused", "thread_not_found", "begun"]);
    assertEquals(replies[2], null);
    assertEquals(replies[3]?.admission?.account_id, stranger.accountId);
    assertEquals(await value("select count(*)::int from messages"), before + 4);
  });

  await t.step("limits are counted exactly, each for its key", async () => {
    const tight = await keyOf(accountId, 3);
    const replies = await begin([call({}, tight), call(), call({}, tight), call({}, tight), call({}, tight), call()]);
    assertEquals(replies.map((reply) => reply?.admission?.spent.is_allowed), [true, true, true, true, false, true]);
  });

  await t.step("a question in another language than its coach's is asked for again, and is not counted", async () => {
    const other = await insertCoach(postgres);
    await value(`select private.pin_answer($1, $2, array[${readInSql("'Why owls?'")}], 'So.', null, false)`, [
      other.accountId,
      other.coachId,
    ]);
    const tight = await keyOf(other.accountId, 2);
    const ask = (asked: unknown) => call({ thread_id: null, coach_id: other.coachId, asked }, tight);
    const read = await readQuestion("Q", "english");
    const replies = await begin([
      ask(undefined),
      ask(read),
      ask(await readQuestion("Q", "german")),
      ask(read),
      ask(read),
    ]);
    assertEquals(replies.map(verdict), ["PT412", "begun", "PT412", "begun", "refused"]);
    assertEquals(replies[0], { error_code: "PT412", message: "english" });
    assertEquals(
      await value("select count(*)::integer from messages join threads on threads.id = thread_id where coach_id = $1", [
        other.coachId,
      ]),
      4,
    );
  });

  await t.step("each gets its own pinned answers and its own history", async () => {
    const other = await insertCoach(postgres);
    const pins = { "Why do owls hoot?": "To talk.", "How do cranes dance?": "In pairs." };
    for (const [question, answer] of Object.entries(pins)) {
      const asked = JSON.stringify([await readQuestion(question, "english")]);
      const pin = "select private.pin_answer($1, $2, private.read_questions($2, $3), $4, null, false)";
      await value(pin, [other.accountId, other.coachId, asked, answer]);
    }
    const apiKey = await keyOf(other.accountId);
    // Otherwise each goes by itself, since the windows of its key begin.
    await value("select admit_request($1)", [{ key_digest: sha256Hex(apiKey) }]);
    const ask = async (content: string, said: number) => {
      const id = await value("insert into threads (coach_id, user_id) values ($1, 'u') returning id", [other.coachId]);
      await postgres.query(
        "insert into messages (thread_id, role, content) select $1, 'user', 'said ' || n from generate_series(1, $2) as n",
        [id, said],
      );
      const asked = { ...await readQuestion(content, "english"), content: undefined };
      return call({ thread_id: id, coach_id: other.coachId, content, asked, history_characters: 14 }, apiKey);
    };
    const replies = await begin([
      await ask("Do cranes dance at night in winter?", 1),
      await ask("Why do owls hoot?", 0),
      await ask("What is love?", 3),
      await ask("Do owls hoot at night in winter?", 2),
      await ask("Do owls hoot in winter while cranes dance at night?", 0),
    ]);
    const given = replies.map((reply) => reply?.result).map((result) =>
      result?.earlier?.content ??
        [result?.pinned?.map(({ answer }) => answer).toSorted(), result?.history?.map(({ content }) => content)]
    );
    const expected = [[["In pairs."], ["said 1"]], "To talk.", [[], ["said 2", "said 3"]], [["To talk."], [
      "said 1",
      "said 2",
    ]], [["In pairs.", "To talk."], []]];
    assertEquals(given, expected);
    const hits =
      `select json_agg(json_build_array(pinned.answer, entry.exact is not null) order by entry.id, pinned.answer)
      from private.ledger as entry join pinned_answers as pinned on pinned.id = any (entry.exact || entry.near)
      where entry.coach_id = $1`;
    assertEquals(await value(hits, [other.coachId]), [
      ["In pairs.", false],
      ["To talk.", true],
      ["To talk.", false],
      ["In pairs.", false],
      ["To talk.", false],
    ]);
  });

  await t.step("what would lock in another order, or hold the others up, is left to be sent by itself", async () => {
    const page = await value("select issue_publishable_key($1, 'p', array['https://a.example'])", [accountId]);
    const begun = call({ content: "again" });
    await value("select begin_turn($1, $2, $3)", [begun.caller, begun.user_id, begun.turn]);
    await postgres.query("update private.passage_totals set passages = 501 where coach_id = $1", [coachId]);
    const before = await contents();
    assertEquals((await begin([begun, call({}, page.api_key)])).map(verdict), ["alone true", "alone true"]);
    await postgres.query(
      `insert into private.passage_totals (coach_id, passages) values ($1, 501)
       on conflict (coach_id) do update set passages = 501`,
      [coachId],
    );
    assertEquals((await begin([call(), call({ coach_id: null })])).map(verdict), ["alone true", "alone true"]);
    await postgres.query("delete from private.passage_totals where coach_id = $1", [coachId]);
    assertEquals(await contents(), before);
  });
});

Deno.test("turns with further locks that begin in one call", async (t) => {
  await using prepared = await prepare();
  const { postgres, value, accountId, keyOf, key, threadId, call, begin, contents } = prepared;

  await t.step(
    "names of conversations and idempotency keys: what asks for an earlier answer goes by itself",
    async () => {
      const threadsOf = (replies: Reply[]) => replies.map((reply) => reply?.result?.thread_id);
      const named = (conversation: object, more: object = {}, apiKey = key) =>
        call({ thread_id: null, conversation, ...more }, apiKey);
      const keyed = () => call({ idempotency_key: "k", fingerprint: "f" });
      const first = named({ name: "talk", said: [] });
      const replies = await begin([
        first,
        named({ name: "talk", said: [] }, { content: "and then?" }),
        named({ name: "talk", said: [] }, {}, await keyOf(accountId)),
        named({ is_standalone: true, said: ["uBefore"] }),
        keyed(),
        keyed(),
      ]);
      assertEquals(replies.map(verdict), [...Array(5).fill("begun"), "alone once"]);
      const [talk, same, ofOtherKey, standalone] = threadsOf(replies);
      assertEquals([same, new Set([talk, ofOtherKey, standalone, threadId]).size], [talk, 4]);
      const later = await begin([
        named({ previous_id: first.turn.run_id, said: [] }),
        named({ name: "talk", said: ["uQ", "uand then?"] }, { content: "more" }),
        named({ previous_id: crypto.randomUUID(), said: [] }),
        keyed(),
      ]);
      assertEquals(later.map(verdict), ["begun", "begun", "response_not_found", "alone once"]);
      assertEquals(threadsOf(later).slice(0, 2), [talk, talk]);
      await postgres.query("update messages set status = 'complete', content = 'A' where status = 'streaming'");
      // Its last question, with all that was said before it.
      const said = ["uQ", "aA", "uand then?", "aA", "uQ", "aA"];
      assertEquals((await begin([named({ name: "talk", said }, { content: "more" }), call()])).map(verdict), [
        "alone once",
        "begun",
      ]);
    },
  );

  await t.step("within budgets each reserves its own; near their end, it goes by itself", async () => {
    const amounts = async () =>
      await value("select json_agg(json_build_array(reserved, used) order by lane) from private.budget_uses");
    const plan = { model: "m", input_tokens: 100, output_most: 50 };
    const within = (more: object = {}) => call({ plan, ...more });
    const set = "insert into budgets (account_id, unit, amount, period) values ($1, 'tokens', $2, 'day')";
    await postgres.query(set, [accountId, 100_000]);
    const replies = await begin([within(), within(), within({ thread_id: null })]);
    assertEquals(replies.map(verdict), ["begun", "begun", "alone once"]);
    assertEquals(replies.map((reply) => reply?.result?.allowance?.output_tokens), [50, 50, undefined]);
    const reserved: [number, number][] = await amounts();
    const sizes: number[] = await value("select json_agg((entries[1]).reserved) from private.budget_reservations");
    assertEquals([reserved.length, sizes.length], [4, 2]);
    assertEquals(reserved.reduce((sum, [amount]) => sum + amount, 0), sizes[0]! + sizes[1]!);
    const before = await contents();
    await postgres.query("update budgets set amount = 1000 where account_id = $1", [accountId]);
    assertEquals((await begin([within(), within()])).map(verdict), ["alone true", "alone true"]);
    assertEquals([await contents(), await amounts()], [before, reserved]);
  });
});
