import { sha256Hex } from "../../shared/core/auth/digest.ts";
import { readQuestion } from "../../shared/core/questions/read_questions.ts";
import { assertEquals } from "../support/assert.ts";
import { createRacingDatabase, insertTenant } from "../support/racing_database.ts";

/** On one connection there are no races: this test needs the native Postgres that `DATABASE_URL` names. */
const server = Deno.env.get("DATABASE_URL");
const connections = 12;
const rounds = 25;

Deno.test(
  { name: "turns that begin together, from several processes in the same threads", ignore: !server },
  async () => {
    await using database = await createRacingDatabase(server!, connections);
    const { pool, value } = database;
    // So few that windows fill: the last requests of each key are counted alone. The second account has budgets.
    const limits = { requestsPerMinute: 400, fields: { max_output_tokens: 50 } };
    const tenants = [await insertTenant(database, limits), await insertTenant(database, limits)];
    const { accountId, coaches: [limited] } = tenants[1]!;
    for (const [amount, coach, each_user] of [[1e12, null, false], [1e12, null, true], [8_000, limited, false]]) {
      const budget = [accountId, amount, coach, each_user];
      await value(
        "select set_budget($1, unit => 'tokens', period => 'day', amount => $2, coach => $3, each_user => $4)",
        budget,
      );
    }
    for (const { accountId, coaches } of tenants) {
      for (const question of ["How do owls sleep?", "Where do owls nest at night?", "Why do owls hunt at night?"]) {
        const read = JSON.stringify([await readQuestion(question, "english")]);
        for (const coachId of coaches) {
          const pin = "select private.pin_answer($1, $2, private.read_questions($2, $3), 'So.', null, false)";
          await value(pin, [accountId, coachId, read]);
        }
      }
    }
    const threads: { id: string; coach_id: string; account: number }[] = (await pool.query(
      `insert into threads (account_id, coach_id, user_id) select each.account_id, each.id, 'u ' || n
       from coach_profiles as each cross join generate_series(1, 3) as n
       returning id, coach_id, (account_id = $1)::integer as account`,
      [accountId],
    )).rows;

    const asked = await Promise.all(
      ["How do owls sleep?", "What hunts at night?", "Where does an owl nest?", "Hello"].map((text) =>
        readQuestion(text, "english")
      ),
    );
    const pick = <Item>(items: Item[]) => items[Math.floor(Math.random() * items.length)]!;
    const describe = () => {
      const { id, coach_id, account } = pick(threads);
      const runId = crypto.randomUUID();
      const question = pick(asked);
      const said = pick([[], [`u${question.content}`, "aA"]]);
      return {
        caller: { key_digest: sha256Hex(pick(tenants[account]!.keys).api_key), scope: "chat", is_counted: true },
        user_id: null,
        turn: {
          run_id: runId,
          thread_id: Math.random() < 0.1 ? null : id,
          coach_id,
          title: "Q",
          request_id: runId,
          content: question.content,
          asked: question,
          plan: { input_tokens: 10 },
          ...pick<object>([{}, {}, {}, {
            idempotency_key: String(Math.ceil(Math.random() * 100)),
            fingerprint: question.content,
          }, {
            thread_id: null,
            conversation: { name: pick(["x", "y"]), said },
          }]),
        },
      };
    };
    let admitted = 0;
    const outcomes = new Map<string, number>();
    const note = (kind: string) => outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1);
    async function run(): Promise<void> {
      for (let round = 0; round < rounds; round++) {
        const calls = Array.from({ length: 1 + Math.floor(Math.random() * 8) }, describe);
        const replies = await value("select begin_turns($1)", [JSON.stringify(calls)]);
        const ends = [];
        for (const [index, reply] of replies.entries()) {
          const { turn } = calls[index]!;
          if (reply.admission?.spent.is_allowed) admitted++;
          const isBegun = reply.result?.message_id !== undefined;
          note(
            reply.error_code ?? reply.result?.error ??
              (isBegun ? "begun" : reply.result ? "earlier" : reply.is_alone ?? "refused"),
          );
          if (!isBegun) continue;
          ends.push({
            message_id: turn.run_id,
            run_id: turn.run_id,
            status: "complete",
            content: "A",
            input_tokens: 5,
            output_tokens: 5,
          });
        }
        await value("select save_turns($1)", [JSON.stringify(ends)]);
        if (Math.random() < 0.1) await value("select take_indexing_work()");
        // The minute of a key ends in the middle of it all.
        if (Math.random() < 0.1) {
          await pool.query(
            "update private.rate_limit_windows set minute_ends_at = now() where api_key_id = $1 and lane >= 0",
            [
              pick(pick(tenants).keys).id,
            ],
          );
        }
      }
    }
    const ended = await Promise.allSettled(Array.from({ length: connections }, run));
    assertEquals(ended.flatMap((each) => each.status === "rejected" ? [String(each.reason)] : []), []);
    await value("select take_indexing_work()");
    const counted = await value(
      `select json_build_object(
       'requests', (select sum(requests - refusals)::int from private.usage_counts),
       'turns', (select sum(turns)::int from private.usage_counts),
       'days', (select sum(day_used)::int from private.rate_limit_windows),
       'reserved', (select sum(reserved)::int from private.budget_uses),
       'streaming', (select count(*)::int from messages where status = 'streaming'),
       'questions', (select count(*)::int from messages where role = 'user'),
       'unsettled', (select count(*)::int from threads where settled_count <> (
         select count(*) from messages where thread_id = threads.id)))`,
    );
    // An earlier answer is a pinned one here, which was stored as well.
    const stored = outcomes.get("begun")! + outcomes.get("earlier")!;
    assertEquals(counted, {
      requests: admitted,
      turns: stored,
      days: admitted,
      reserved: 0,
      streaming: 0,
      questions: stored,
      unsettled: 0,
    }, JSON.stringify([...outcomes]));
  },
);
