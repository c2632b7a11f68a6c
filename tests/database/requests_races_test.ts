import { readQuestion } from "../../shared/core/questions/read_questions.ts";
import { assert, assertEquals } from "../support/assert.ts";
import { createRacingDatabase, insertTenant } from "../support/racing_database.ts";

/** On one connection there are no races: this test needs the native Postgres that `DATABASE_URL` names. */
const server = Deno.env.get("DATABASE_URL");
const connections = 12;
const rounds = 60;

Deno.test(
  { name: "asking, answering and taking back in the same threads at once", ignore: !server },
  async () => {
    await using database = await createRacingDatabase(server!, connections);
    const { pool, value } = database;
    const { accountId, coaches: [coachId] } = await insertTenant(database, { requestsPerMinute: 100_000 });
    const threads: string[] = [];
    for (let number = 0; number < 3; number++) {
      threads.push(
        await value("insert into threads (coach_id, user_id) values ($1, $2) returning id", [
          coachId,
          `u${number % 2}`,
        ]),
      );
    }
    const caller = JSON.stringify({ account_id: accountId });
    const pick = <Item>(items: Item[]) => items[Math.floor(Math.random() * items.length)]!;
    const ask = (thread_id: string, more: object) =>
      value("select ask_expert($1, null, $2)", [caller, JSON.stringify({ thread_id, request_id: "r", ...more })]);
    const questionOf = () =>
      value("select id from open_questions where coach_id = $1 and status = 'open' order by random() limit 1", [
        coachId,
      ]);
    const acts: ((threadId: string) => Promise<unknown>)[] = [
      (id) => ask(id, { question: pick(["May I come?", "When?", "Why so late?"]) }),
      (id) => ask(id, {}),
      (id) => ask(id, { email: `p${crypto.randomUUID()}@example.com` }),
      (id) => value("select say_as_expert($1, null, $2, 'Yes.', 'r')", [caller, id]),
      (id) => value("select take_over($1, null, $2)", [caller, id]),
      (id) => value("select release_thread($1, null, $2)", [caller, id]),
      (id) => value("select list_requests($1, null, $2)", [caller, id]),
      () => value("select take_waiting_turn($1)", [crypto.randomUUID()]),
      async (id) => {
        const request = await value("select id from private.requests where thread_id = $1 order by random() limit 1", [
          id,
        ]);
        await value("select withdraw_request($1, null, $2, $3)", [caller, id, request]);
      },
      async () => {
        const asked = await readQuestion(`Q ${Math.random()}?`, "english");
        const args = [caller, coachId, await questionOf(), JSON.stringify(asked)];
        await value("select answer_question($1, $2, null, $3, 'So.', $4, notify => $5, request_id => 'r')", [
          ...args,
          pick([true, true, false]),
        ]);
      },
      async (id) => {
        const waiting = await value(
          "select id from messages where thread_id = $1 and status = 'waiting' order by random() limit 1",
          [id],
        );
        await value("select stop_turn($1, null, $2, false)", [caller, waiting]);
      },
      async (thread_id) => {
        const message_id = await value(
          "select id from messages where thread_id = $1 and status = 'complete' order by random() limit 1",
          [thread_id],
        );
        const question = await readQuestion("When?", "english");
        const revision = { thread_id, message_id, answer: "No.", question, notify: pick([true, false]) };
        await value("select revise_answer($1, null, $2)", [caller, JSON.stringify(revision)]);
      },
      async (id) => {
        const answer = await value(
          "select id from messages where thread_id = $1 and role = 'assistant' and status <> 'waiting' order by random() limit 1",
          [id],
        );
        if (answer) {
          await value("select rate_answer($1, null, $2, $3, $4, null)", [caller, id, answer, pick(["up", "down"])]);
        }
      },
    ];
    const outcomes = new Map<string, number>();
    await Promise.all(Array.from({ length: connections }, async () => {
      for (let round = 0; round < rounds; round++) {
        const outcome = await pick(acts)(pick(threads)).then(() => "done", (error) => error.code ?? String(error));
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
    }));
    // Neither a deadlock nor a failure to serialize, nor anything else.
    assertEquals([...outcomes.keys()], ["done"], JSON.stringify([...outcomes]));

    const { rows } = await pool.query(`
      select
        (select count(*)::integer from private.requests) as requests,
        (select count(*)::integer from private.requests as request join messages as answer on answer.id = request.answer_id
          where request.is_open and answer.status = 'streaming' and answer.content = '') as given_to_the_model,
        (select count(*)::integer from private.requests as request join messages as answer on answer.id = request.answer_id
          where not request.is_open and answer.status = 'waiting'
            and not (select thread.is_waiting from threads as thread where thread.id = request.thread_id)) as forgotten,
        (select count(*)::integer from open_questions as question where question.is_requested <> exists (
          select from private.askings as asking join private.requests as request on request.answer_id = asking.message_id
          where asking.question_id = question.id and request.is_open)) as wrongly_requested,
        (select count(*)::integer from open_questions as question
          where question.is_requested and question.status = 'answered') as answered_too_early,
        (select count(*)::integer from threads as thread where thread.needs_reply_at is null and exists (
          select from private.requests as request where request.thread_id = thread.id and request.is_open)) as unseen
    `);
    const { requests, ...wrong } = rows[0];
    assert(requests > 10);
    assertEquals(wrong, {
      given_to_the_model: 0,
      forgotten: 0,
      wrongly_requested: 0,
      answered_too_early: 0,
      unseen: 0,
    });
  },
);
