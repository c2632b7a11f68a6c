import type { PGlite } from "@electric-sql/pglite";
import { assert, assertEquals } from "../support/assert.ts";
import { askForValue, createMigratedPostgres, insertCoach, readInSql } from "../support/migrated_postgres.ts";
import { slowStep } from "../support/slow.ts";

/** A coach with an open question that so many people have asked, each in a thread of their own. */
async function createQuestion(postgres: PGlite, people: number) {
  const value = askForValue(postgres);
  const { accountId, coachId } = await insertCoach(postgres);
  await postgres.query(
    `with asked as (
       insert into threads (account_id, coach_id, user_id, title)
       select $1, $2, 'user ' || number, 'Asked' from generate_series(1, $3::integer) as number returning id
     )
     insert into messages (id, thread_id, role, content, run_id, created_at)
     select message.id, asked.id, message.role, message.content, message.run_id, now() + message.later
     from asked cross join lateral (values
       (gen_random_uuid(), 'user', 'And what does it cost me?', null, interval '0'),
       (gen_random_uuid(), 'assistant', 'I do not know', asked.id, interval '1 millisecond')
     ) as message (id, role, content, run_id, later)`,
    [accountId, coachId, people],
  );
  const questionId = await value(
    "insert into open_questions (account_id, coach_id, question) values ($1, $2, 'What does it cost?') returning id",
    [accountId, coachId],
  );
  await value("select private.store_phrases($1, false, $2, '{What does it cost?}')", [coachId, questionId]);
  await value(`select private.key_phrases($1, array[${readInSql("'What does it cost?'")}])`, [questionId]);
  await postgres.query(
    `insert into private.askings (message_id, question_id, thread_id, user_id, reason, asked_at)
     select message.id, $2, thread.id, thread.user_id, 'unknown', message.created_at
     from threads as thread join messages as message on message.thread_id = thread.id and message.role = 'assistant'
     where thread.coach_id = $1`,
    [coachId, questionId],
  );
  await postgres.exec("analyze");
  const caller = { account_id: accountId, scopes: ["expert", "threads:read"] };
  return {
    value,
    coachId,
    answer: (text: string) =>
      value("select answer_question($1, $2, null, $3, $4)", [caller, coachId, questionId, text]),
    more: () => value("select send_answer($1, $2, null, $3, '{}', 'r')", [caller, coachId, questionId]),
    list: () => value("select list_questions($1, $2, has_askings => true)", [caller, coachId]),
    unread: () =>
      value(
        `select array_agg(unread order by unread) from (
           select distinct (select count(*)::integer from messages as message
             where message.thread_id = thread.id and message.is_unread) as unread
           from threads as thread where thread.coach_id = $1
         ) as counted`,
        [coachId],
      ),
  };
}

Deno.test("an answer to a question that thousands have asked", async (t) => {
  await using postgres = await createMigratedPostgres();
  let slowest = 0;
  const timed = async (call: () => Promise<{ notified: number; is_more: boolean; status: string }>) => {
    const began = performance.now();
    const { notified, is_more, status } = await call();
    slowest = Math.max(slowest, performance.now() - began);
    return [status, notified, is_more];
  };

  await slowStep(t, "of ten thousand, the first call tells a thousand, in less time than a request has", async () => {
    const question = await createQuestion(postgres, 10_010);
    const { data: [{ chats, times, merged_askings }] } = await question.list();
    assertEquals([chats, times, merged_askings], [10_000, 10_010, []]);
    assertEquals(await timed(() => question.answer("Nothing.")), ["answered", 1_000, true]);
    assert(slowest < 8_000, `${slowest} ms`);
    assertEquals(await question.unread(), [0, 1]);
  });

  const question = await createQuestion(postgres, 2_010);
  await t.step("further calls tell the rest, and nobody twice", async () => {
    assertEquals(await timed(() => question.answer("Nothing.")), ["answered", 1_000, true]);
    assertEquals(await timed(question.more), ["answered", 2_000, true]);
    for (const call of [question.more, () => question.answer("Nothing."), question.more]) {
      assertEquals(await timed(call), ["answered", 2_010, false]);
    }
    assertEquals(await question.unread(), [1]);
    const settled = await question.value(
      `select count(*)::integer from threads
       where coach_id = $1 and settled_count = 3 and settled_until > now() - interval '1 hour'`,
      [question.coachId],
    );
    assertEquals(settled, 2_010);
  });

  await t.step("the messages go with the person, and the pinned answer without them", async () => {
    const left = () =>
      question.value(
        `select count(*)::integer from private.notices as notice
         join threads as thread on thread.id = notice.thread_id
         where thread.coach_id = $1 and notice.pinned_answer_id is not null`,
        [question.coachId],
      );
    await postgres.query("delete from threads where coach_id = $1 and user_id = 'user 1'", [question.coachId]);
    assertEquals(await left(), 2_009);
    await postgres.query("delete from pinned_answers where coach_id = $1", [question.coachId]);
    assertEquals(await left(), 0);
    assertEquals(await question.unread(), [1]);
  });
});
