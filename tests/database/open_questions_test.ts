import type { PGlite } from "@electric-sql/pglite";
import { readQuestion } from "../../shared/core/questions/read_questions.ts";
import { tidySentence } from "../../shared/features/questions/keep_question.ts";
import { assertEquals } from "../support/assert.ts";
import { askForValue, beginTurn, createMigratedPostgres, insertCoach } from "../support/migrated_postgres.ts";

/** A coach whom people ask. */
async function createDesk(postgres: PGlite) {
  const value = askForValue(postgres);
  const { accountId, coachId } = await insertCoach(postgres);
  /** A turn whose answer is being written. */
  const begin = async (userId: string, threadId: string | null = null) => {
    const turn = await beginTurn(postgres, {
      account_id: accountId,
      coach_id: coachId,
      user_id: userId,
      thread_id: threadId,
    });
    return { threadId: turn.thread_id as string, messageId: turn.message_id as string };
  };
  const keep = async (messageId: string, question: string | null, { isForHuman = false, runId = messageId } = {}) => {
    const sentence = question && tidySentence(question);
    const read = sentence ? JSON.stringify(await readQuestion(sentence, "english")) : null;
    return await value("select keep_question($1, $2, $3, $4)", [messageId, runId, read, isForHuman]) as string | null;
  };
  return {
    value,
    accountId,
    coachId,
    begin,
    keep,
    /** A person who gets no answer. */
    async ask(userId: string, question: string | null, options: { isForHuman?: boolean } = {}) {
      const turn = await begin(userId);
      return { ...turn, questionId: await keep(turn.messageId, question, options) };
    },
    end: (messageId: string) =>
      postgres.query("select save_turns($1)", [
        JSON.stringify([{ message_id: messageId, run_id: messageId, status: "complete", content: "Said" }]),
      ]),
    rate: (threadId: string, messageId: string, rating: string | null) =>
      value("select rate_answer(jsonb_build_object('account_id', $1::text), null, $2, $3, $4, null)", [
        accountId,
        threadId,
        messageId,
        rating,
      ]),
    questions: async () =>
      (await postgres.query<{ question: string | null; status: string; times: number; people: number }>(
        `select question, status, times, people from open_questions where coach_id = $1
         order by people desc, times desc, question`,
        [coachId],
      )).rows,
    /** The kinds of events since the last call, without those of turns. */
    events: async () =>
      (await postgres.query<{ kind: string }>(
        `with told as (delete from private.events where coach_id = $1 returning id, kind)
         select kind from told where kind not like 'message.%' order by id`,
        [coachId],
      )).rows.map(({ kind }) => kind),
  };
}

/** A question as the table shows it. */
const open = (question: string | null, times: number, people: number, status = "open") => ({
  question,
  status,
  times,
  people,
});

Deno.test("questions that the persona could not answer are kept", async (t) => {
  await using postgres = await createMigratedPostgres();
  const fasting = "When should I fast?";

  await t.step("what says the same is one question, at once: with how often, and how many people asked", async () => {
    const desk = await createDesk(postgres);
    const { questionId } = await desk.ask("ann", fasting);
    assertEquals(await desk.events(), ["question.opened"]);
    for (const [userId, question] of [["ann", fasting], ["ben", "when should I fast"], ["ben", ` ${fasting}\n`]]) {
      assertEquals((await desk.ask(userId!, question!)).questionId, questionId);
    }
    assertEquals(await desk.questions(), [open(fasting, 4, 2)]);
    assertEquals(await desk.events(), []);
  });

  await t.step("other words are another question, and those of another coach another's", async () => {
    const desk = await createDesk(postgres);
    const other = await createDesk(postgres);
    await desk.ask("ann", fasting);
    await desk.ask("ann", "Why should I fast?");
    await other.ask("ann", fasting);
    assertEquals(await desk.questions(), [open(fasting, 1, 1), open("Why should I fast?", 1, 1)]);
    assertEquals(await other.questions(), [open(fasting, 1, 1)]);
  });

  await t.step("the same of the same answer is kept once, and three of an answer at most", async () => {
    const desk = await createDesk(postgres);
    const { messageId } = await desk.begin("ann");
    for (const question of [fasting, fasting, "Is salt bad?", "Is sugar bad?"]) await desk.keep(messageId, question);
    assertEquals(await desk.keep(messageId, "Is fat bad?"), null);
    assertEquals(await desk.questions(), [
      open("Is salt bad?", 1, 1),
      open("Is sugar bad?", 1, 1),
      open(fasting, 1, 1),
    ]);
  });

  await t.step("of a run that the answer has left, nothing is kept; nor of a question, nor of no message", async () => {
    const desk = await createDesk(postgres);
    const { threadId, messageId } = await desk.begin("ann");
    const asked = await desk.value("select id from messages where thread_id = $1 and role = 'user'", [threadId]);
    assertEquals(await desk.keep(messageId, fasting, { runId: crypto.randomUUID() }), null);
    assertEquals(await desk.keep(asked, fasting), null);
    assertEquals(await desk.keep(crypto.randomUUID(), fasting), null);
    assertEquals(await desk.value("select private.open_question($1, null, 'unknown')", [asked]), null);
    assertEquals(await desk.questions(), []);
    assertEquals(await desk.events(), []);
  });

  await t.step("without a sentence it refers to its answer, once", async () => {
    const desk = await createDesk(postgres);
    const { messageId } = await desk.begin("ann");
    const questionId = await desk.keep(messageId, " \n");
    assertEquals(await desk.keep(messageId, null), questionId);
    await desk.ask("ben", null);
    assertEquals(await desk.questions(), [open(null, 1, 1), open(null, 1, 1)]);
  });

  await t.step("a sentence is kept on one line, and cut where it is too long", async () => {
    const desk = await createDesk(postgres);
    await desk.ask("ann", `  What\n is\t😀${"x".repeat(2_000)}`);
    const kept = (await desk.questions())[0]?.question ?? "";
    assertEquals([kept.slice(0, 10), [...kept].length], ["What is 😀", 1_000]);
  });

  await t.step("who asks for a human waits for the expert, also beyond the third question", async () => {
    const desk = await createDesk(postgres);
    const waiting = (threadId: string) =>
      desk.value("select needs_reply_at is not null from threads where id = $1", [threadId]);
    const { threadId, messageId } = await desk.ask("ann", fasting);
    assertEquals(await waiting(threadId), false);
    await desk.events();
    await desk.keep(messageId, fasting, { isForHuman: true });
    await desk.keep(messageId, fasting, { isForHuman: true });
    assertEquals(await waiting(threadId), true);
    assertEquals(await desk.events(), ["thread.needs_expert"]);
    assertEquals(await desk.value("select reason from private.askings where message_id = $1", [messageId]), "human");

    const other = await desk.begin("ben");
    for (const question of ["One?", "Two?", "Three?"]) await desk.keep(other.messageId, question);
    assertEquals(await desk.keep(other.messageId, "Four?", { isForHuman: true }), null);
    assertEquals(await waiting(other.threadId), true);
  });
});

Deno.test("a question opens again when it is asked again", async (t) => {
  await using postgres = await createMigratedPostgres();
  const fasting = "When should I fast?";
  const decide = (questionId: string | null, status: string) =>
    postgres.query(
      `update open_questions set status = $2, decided_at = clock_timestamp(), dismissed_people = people where id = $1`,
      [questionId, status],
    );
  const status = (questionId: string | null) =>
    askForValue(postgres)("select status from open_questions where id = $1", [questionId]);

  await t.step("an answered one at once: the answer has not reached the person", async () => {
    const desk = await createDesk(postgres);
    const { questionId } = await desk.ask("ann", fasting);
    const early = await desk.begin("ben");
    for (const again of [() => desk.ask("ann", fasting), () => desk.keep(early.messageId, fasting)]) {
      await decide(questionId, "answered");
      await desk.events();
      await again();
      assertEquals(await status(questionId), "open", "also for Ben, who asked before it was answered");
      assertEquals(await desk.events(), ["question.opened"]);
    }
    assertEquals(await desk.questions(), [open(fasting, 3, 2)]);
  });

  await t.step("a dismissed one when three further people have asked, however often", async () => {
    const desk = await createDesk(postgres);
    const { questionId } = await desk.ask("ann", fasting);
    await desk.events();
    await decide(questionId, "dismissed");
    assertEquals(await desk.events(), ["question.closed"]);
    for (const userId of ["ann", "ann", "ben", "ben", "cat"]) await desk.ask(userId, fasting);
    assertEquals(await desk.questions(), [open(fasting, 6, 3, "dismissed")]);
    assertEquals(await desk.events(), []);
    await desk.ask("dan", fasting);
    assertEquals(await desk.questions(), [open(fasting, 7, 4)]);
    assertEquals(await desk.events(), ["question.opened"]);
  });

  await t.step("one that many had asked, when as many further people have", async () => {
    const desk = await createDesk(postgres);
    let questionId = null;
    for (let person = 0; person < 5; person++) ({ questionId } = await desk.ask(`early ${person}`, fasting));
    await decide(questionId, "dismissed");
    for (let person = 0; person < 4; person++) await desk.ask(`late ${person}`, fasting);
    assertEquals(await status(questionId), "dismissed");
    await desk.ask("one more", fasting);
    assertEquals(await status(questionId), "open");
  });
});

Deno.test("a question that cannot be looked at is tried again after growing pauses, five times", async () => {
  await using postgres = await createMigratedPostgres();
  const { value, ask } = await createDesk(postgres);
  const { questionId } = await ask("ada", null);
  const take = async () => {
    await postgres.exec("update open_questions set due_at = now()");
    return await value("select take_question()");
  };
  const postpone = async (waits: boolean) => {
    const { id, claim } = await take();
    // Whatever a worker says whose claim has ended.
    for (const call of ["word_question", "end_question"]) {
      await value(`select ${call}($1, gen_random_uuid(), null)`, [id]);
    }
    await value("select postpone_question($1, $2, $3)", [id, claim, waits]);
    return [id, await value("select extract(epoch from due_at - now())::integer / 60 from open_questions")];
  };
  assertEquals(await postpone(true), [questionId, 15], "waiting for a budget is no attempt");
  for (const minutes of [1, 4, 9, 16, 25]) assertEquals(await postpone(false), [questionId, minutes]);
  assertEquals(await take(), null);
});

Deno.test("two questions that are the same become the older one", async (t) => {
  await using postgres = await createMigratedPostgres();
  const merge = (one: string | null, other: string | null) =>
    askForValue(postgres)("select private.merge_questions($1, $2)", [one, other]);

  await t.step("an answer that has asked both has asked one, and a person counts once", async () => {
    const desk = await createDesk(postgres);
    const { messageId, questionId } = await desk.ask("ann", "How long?");
    const other = await desk.keep(messageId, "For how many hours?");
    await desk.ask("ann", "For how many hours?");
    await desk.ask("ben", "For how many hours?");
    await desk.events();
    assertEquals(await merge(other, questionId), questionId);
    assertEquals(await desk.questions(), [open("How long?", 3, 2)]);
    assertEquals(await desk.events(), [], "it was open before");
    assertEquals((await desk.ask("cat", "For how many hours?")).questionId, questionId);
  });

  await t.step("one that is gone meanwhile leaves the other as it is", async () => {
    const desk = await createDesk(postgres);
    const { questionId } = await desk.ask("ann", "How long?");
    for (const other of [questionId, null, crypto.randomUUID()]) {
      assertEquals(await merge(questionId, other), questionId);
    }
    assertEquals(await desk.questions(), [open("How long?", 1, 1)]);
  });

  await t.step("where the older was dismissed, further people open it again", async () => {
    const desk = await createDesk(postgres);
    const { questionId } = await desk.ask("ann", "How long?");
    await postgres.query(
      "update open_questions set status = 'dismissed', decided_at = now(), dismissed_people = 1 where id = $1",
      [
        questionId,
      ],
    );
    const other = await desk.ask("ben", "For how many hours?");
    await desk.ask("cat", "For how many hours?");
    await desk.ask("dan", "For how many hours?");
    await merge(questionId, other.questionId);
    assertEquals(await desk.questions(), [open("How long?", 4, 4)]);
  });
});

Deno.test("near questions are found by any of their sentences", async (t) => {
  await using postgres = await createMigratedPostgres();
  const desk = await createDesk(postgres);
  const { questionId: owls } = await desk.ask("ann", "Where do owls nest?");
  const { questionId: birds } = await desk.ask("ben", "What trees suit nocturnal birds?");
  /** The questions similar to another one, which is not stored. */
  const near = async (sentence: string) => {
    const { messageId, questionId } = await desk.ask("cat", sentence);
    await postgres.query("update open_questions set claim = id where id = $1", [questionId]);
    const found = await desk.value("select find_near_questions($1, $1, null)", [questionId]);
    await postgres.query("delete from messages where id = $1", [messageId]);
    return found.map(({ id }: { id: string }) => id);
  };

  await t.step("each by its own words", async () => {
    assertEquals(await near("Which tree is a nest?"), [owls, birds]);
    assertEquals(await near("Nocturnal?"), [birds]);
    assertEquals(await near("Is salt bad?"), []);
  });

  await t.step("two that became one by the words of both", async () => {
    await desk.value("select private.merge_questions($1, $2)", [birds, owls]);
    assertEquals(await near("Nocturnal?"), [owls]);
    assertEquals(await near("How does an owl see?"), [owls]);
  });

  await t.step("an answered one is near to none, until it is open again", async () => {
    const decide = (status: string) =>
      postgres.query("update open_questions set status = $2 where id = $1", [owls, status]);
    await decide("answered");
    assertEquals(await near("Nocturnal?"), []);
    await decide("dismissed");
    assertEquals(await near("Nocturnal?"), [owls]);
  });

  await t.step("a rare word chooses among many that share a frequent one, which chooses alone", async () => {
    await postgres.query(
      `insert into private.phrases (coach_id, is_pinned, subject_id, is_active, content, words, stop_words)
       select $1, false, md5('subject ' || n)::uuid, true, 'asked ' || n,
         case when n % 700 = 0 then '{frequent,rare}' else '{frequent}' end::text[], '{}'
       from generate_series(1, 2100) as n`,
      [desk.coachId],
    );
    await postgres.exec("select private.index_phrases(subject_id) from private.phrases where content like 'asked %'");
    const near = async (words: string) =>
      await desk.value(
        `select array_agg(content order by content) from private.phrases where subject_id = any (private.find_near_phrases(
           $1, false, row(null, null, null, null, $2, $2, false)::private.normal_question, null))`,
        [desk.coachId, words],
      );
    assertEquals(await near("{frequent,rare}"), ["asked 1400", "asked 2100", "asked 700"]);
    assertEquals((await near("{frequent}")).length, 3);
    assertEquals(await near("{unheard}"), null);
  });
});

Deno.test("askings go with the answers, and a question with its last asking", async (t) => {
  await using postgres = await createMigratedPostgres();
  const fasting = "When should I fast?";

  await t.step("what remains is counted", async () => {
    const desk = await createDesk(postgres);
    const first = await desk.ask("ann", fasting);
    await desk.ask("ann", fasting);
    const last = await desk.ask("ben", fasting);
    for (const [{ messageId }, left] of [[first, 2], [last, 1]] as const) {
      await postgres.query("delete from messages where id = $1", [messageId]);
      assertEquals(await desk.questions(), [open(fasting, left, left)]);
      assertEquals(
        await desk.value(
          "select first_asked_at = min(asked_at) and last_asked_at = max(asked_at) from open_questions " +
            "join private.askings on question_id = id where id = $1 group by id",
          [first.questionId],
        ),
        true,
      );
    }
  });

  await t.step(
    "erasing a user takes their askings, and the questions of nobody else, whatever their status",
    async () => {
      const desk = await createDesk(postgres);
      const other = await createDesk(postgres);
      await desk.ask("ann", fasting);
      await desk.ask("ben", fasting);
      const { questionId } = await desk.ask("ann", "Is salt bad?");
      await desk.ask("ann", "Is sugar bad?");
      await other.ask("ann", fasting);
      await postgres.query("update open_questions set status = 'dismissed', decided_at = now() where id = $1", [
        questionId,
      ]);
      await postgres.query("select erase_user($1, 'ann')", [desk.accountId]);
      assertEquals(await desk.questions(), [open(fasting, 1, 1)]);
      assertEquals(await other.questions(), [open(fasting, 1, 1)]);
      assertEquals(
        await desk.value("select count(*)::int from private.phrases where coach_id = $1", [desk.coachId]),
        1,
      );
    },
  );

  await t.step("an export shows them, and nobody else's", async () => {
    const desk = await createDesk(postgres);
    await desk.ask("ann", fasting, { isForHuman: true });
    await desk.ask("ben", "Is salt bad?");
    const { threads } = await desk.value("select export_user($1, 'ann')", [desk.accountId]);
    const asked = threads[0].messages.map((message: { unanswered_questions: unknown[] }) =>
      message.unanswered_questions
    );
    assertEquals(asked.map((each: unknown[]) => each.length), [0, 1]);
    const { asked_at, ...rest } = asked[1][0];
    assertEquals([rest, Number.isNaN(Date.parse(asked_at))], [{ question: fasting, reason: "human" }, false]);
  });

  await t.step("so does deleting a thread", async () => {
    const desk = await createDesk(postgres);
    const { threadId } = await desk.ask("ann", fasting);
    await desk.ask("ann", "Is salt bad?");
    await postgres.query("select delete_thread(jsonb_build_object('account_id', $1::text), $2)", [
      desk.accountId,
      threadId,
    ]);
    assertEquals(await desk.questions(), [open("Is salt bad?", 1, 1)]);
  });

  await t.step("a question that was asked 10,000 times is counted on as quickly", async () => {
    const desk = await createDesk(postgres);
    const { threadId, questionId } = await desk.ask("ann", fasting);
    await postgres.query(
      `with written as (
         insert into messages (thread_id, role, content) select $1, 'assistant', 'x' from generate_series(1, 10000) returning id
       )
       insert into private.askings (message_id, question_id, thread_id, user_id, reason, asked_at)
       select id, $2, $1, 'ann', 'unknown', now() from written`,
      [threadId, questionId],
    );
    await postgres.exec("begin");
    const reads = () =>
      desk.value(`select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int from pg_stat_xact_user_tables
        where relname in ('askings', 'open_questions')`);
    const { messageId } = await desk.begin("ben");
    const before = await reads();
    await desk.keep(messageId, fasting);
    await postgres.query("delete from messages where id = $1", [messageId]);
    const read = await reads() - before;
    await postgres.exec("rollback");
    assertEquals(await desk.questions(), [open(fasting, 10_001, 1)]);
    assertEquals(read < 40, true, `${read} rows were read`);
  });
});

Deno.test("a thumbs-down opens a question", async (t) => {
  await using postgres = await createMigratedPostgres();
  const answered = async (desk: Awaited<ReturnType<typeof createDesk>>, userId: string, threadId?: string) => {
    const turn = await desk.begin(userId, threadId);
    await desk.end(turn.messageId);
    return turn;
  };
  const hasDown = (threadId: string) => askForValue(postgres)("select has_down from threads where id = $1", [threadId]);

  await t.step("and taking it back, or turning it up, withdraws the question", async () => {
    const desk = await createDesk(postgres);
    const { threadId, messageId } = await answered(desk, "ann");
    for (const [rating, event] of [[null, "feedback.removed"], ["up", "feedback.up"]] as const) {
      await desk.rate(threadId, messageId, "down");
      await desk.rate(threadId, messageId, "down");
      assertEquals(await desk.questions(), [open(null, 1, 1)]);
      assertEquals(await hasDown(threadId), true);
      assertEquals(await desk.events(), ["question.opened", "feedback.down"]);
      await desk.rate(threadId, messageId, rating);
      await desk.rate(threadId, messageId, rating);
      assertEquals(await desk.questions(), []);
      assertEquals(await hasDown(threadId), false);
      assertEquals(await desk.events(), [event]);
    }
  });

  await t.step("answering one in a sentence locks the sentence before the questions, as asking does", async () => {
    const desk = await createDesk(postgres);
    await desk.ask("ann", "Is salt bad?");
    const { questionId } = await desk.ask("ben", null);
    await postgres.exec(`
      create table public.seen (is_locked boolean);
      create function public.see() returns trigger language plpgsql as $$
      begin
        insert into public.seen select exists (select from pg_locks as held where held.locktype = 'advisory');
        return new;
      end;
      $$;
      create trigger see before update of status on public.open_questions for each row execute function public.see();
    `);
    await desk.value(
      "select answer_question(jsonb_build_object('account_id', $1::text), $2, null, $3, 'Yes.', $4)",
      [
        desk.accountId,
        desk.coachId,
        questionId,
        JSON.stringify(await readQuestion("Is salt bad?", "english")),
      ],
    );
    const seen = await desk.value("select json_agg(distinct is_locked) from public.seen");
    await postgres.exec("drop function public.see() cascade; drop table public.seen");
    assertEquals(seen, [true]);
    assertEquals(await desk.questions(), [open("Is salt bad?", 2, 2, "answered")]);
  });

  await t.step("which locks the question before its askings, as making one of two does", async () => {
    const desk = await createDesk(postgres);
    const { threadId, messageId } = await answered(desk, "ann");
    await desk.rate(threadId, messageId, "down");
    // A row that is locked, and was never changed, has an xmax.
    await postgres.exec(`
      create table public.seen (is_locked boolean);
      create function public.see() returns trigger language plpgsql as $$
      begin
        insert into public.seen select question.xmax <> 0 from public.open_questions as question where question.id = old.question_id;
        return old;
      end;
      $$;
      update public.open_questions set question = 'Anew?';
      create trigger see before delete on private.askings for each row execute function public.see();
    `);
    await desk.rate(threadId, messageId, null);
    const seen = await desk.value("select json_agg(is_locked) from public.seen");
    await postgres.exec("drop function public.see() cascade; drop table public.seen");
    assertEquals(seen, [true]);
  });

  await t.step("a thumbs-up opens none", async () => {
    const desk = await createDesk(postgres);
    const { threadId, messageId } = await answered(desk, "ann");
    await desk.rate(threadId, messageId, "up");
    assertEquals(await desk.questions(), []);
    assertEquals(await hasDown(threadId), false);
    assertEquals(await desk.events(), ["feedback.up"]);
    assertEquals(await desk.value("select coach_id from feedback where message_id = $1", [messageId]), desk.coachId);
  });

  await t.step("none where the answer has asked one already, which outlives the thumbs-down", async () => {
    const desk = await createDesk(postgres);
    const { threadId, messageId } = await desk.ask("ann", "When should I fast?");
    await desk.end(messageId);
    await desk.rate(threadId, messageId, "down");
    assertEquals(await desk.questions(), [open("When should I fast?", 1, 1)]);
    await desk.rate(threadId, messageId, null);
    assertEquals(await desk.questions(), [open("When should I fast?", 1, 1)]);
  });

  await t.step("it stays where the expert has decided about it", async () => {
    const desk = await createDesk(postgres);
    const { threadId, messageId } = await answered(desk, "ann");
    await desk.rate(threadId, messageId, "down");
    await postgres.query("update open_questions set status = 'dismissed', decided_at = now() where coach_id = $1", [
      desk.coachId,
    ]);
    await desk.rate(threadId, messageId, null);
    assertEquals(await desk.questions(), [open(null, 1, 1, "dismissed")]);
  });

  await t.step("an answer that waits for the expert cannot be rated", async () => {
    const desk = await createDesk(postgres);
    const { threadId, messageId } = await answered(desk, "ann");
    await postgres.query("update messages set status = 'waiting', content = '' where id = $1", [messageId]);
    assertEquals(await desk.rate(threadId, messageId, "down"), { error: "answer_unfinished" });
    assertEquals(await desk.questions(), []);
  });

  await t.step("a thread has one as long as one of its answers has", async () => {
    const desk = await createDesk(postgres);
    const first = await answered(desk, "ann");
    const second = await answered(desk, "ann", first.threadId);
    await desk.rate(first.threadId, first.messageId, "down");
    await desk.rate(first.threadId, second.messageId, "down");
    await desk.rate(first.threadId, first.messageId, "up");
    assertEquals(await hasDown(first.threadId), true);
    await postgres.query("delete from messages where id = $1", [second.messageId]);
    assertEquals(await hasDown(first.threadId), false);
    assertEquals(await desk.questions(), []);
    await desk.rate(first.threadId, first.messageId, "down");
    await postgres.query("select erase_user($1, 'ann')", [desk.accountId]);
    assertEquals(await desk.questions(), []);
  });

  await t.step("an answer that is run again loses its thumbs-down, and the question with it", async () => {
    const desk = await createDesk(postgres);
    const { threadId, messageId } = await answered(desk, "ann");
    await desk.rate(threadId, messageId, "down");
    // As another run leaves it that has said something else.
    await postgres.query("update messages set previous = '{}' where id = $1", [messageId]);
    await postgres.query("update messages set previous = null where id = $1", [messageId]);
    assertEquals(await desk.questions(), []);
    assertEquals(await hasDown(threadId), false);
  });
});
