import { EventKind } from "../../shared/features/events/fields.ts";
import { assertEquals } from "../support/assert.ts";
import {
  askForValue,
  becomeProjectOwner,
  createMigratedPostgres,
  createProjectPostgres,
  insertCoach,
  migrate,
} from "../support/migrated_postgres.ts";
import { projectOwner } from "../support/supabase_project.ts";

/** The parts of Supabase Realtime that are used. */
const realtime = `
  create schema realtime;
  grant usage on schema realtime to ${projectOwner}, authenticated;
  create table realtime.messages (topic text, extension text, payload jsonb, event text, private boolean,
    inserted_at timestamp not null default now()) partition by range (inserted_at);
  alter table realtime.messages owner to ${projectOwner};
  alter table realtime.messages enable row level security;
  grant select, insert on realtime.messages to authenticated;
  create function realtime.topic() returns text language sql stable
    return nullif(current_setting('realtime.topic', true), '');
  create function realtime.send(payload jsonb, event text, topic text, private boolean default true) returns void
  language plpgsql as $$
  begin
    if current_setting('test.is_broken', true) = 'yes' then
      raise 'arranged';
    end if;
    insert into realtime.messages (topic, extension, payload, event, private) values (send.topic, 'broadcast', send.payload, send.event, send.private);
  end;
  $$;
  create function realtime.send(payload bytea, event text, topic text, private boolean default true) returns void
  language sql as '';
  -- What Realtime does when somebody connects: partitions for the next days.
  create function realtime.connect() returns void language plpgsql security definer as $$
  declare day date;
  begin
    for day in select generate_series(now() - interval '1 day', now() + interval '3 days', interval '1 day') loop
      execute format('create table realtime.messages_%s partition of realtime.messages for values from (%L) to (%L)',
        to_char(day, 'YYYY_MM_DD'), day, day + 1);
    end loop;
  end;
  $$;
`;

const ofQuestions = EventKind.options.filter((kind) => kind.startsWith("question."));

Deno.test("Supabase Realtime broadcasts what happens", async (t) => {
  await using postgres = await createProjectPostgres();
  await postgres.exec(realtime);
  await becomeProjectOwner(postgres);
  await migrate(postgres);
  const value = askForValue(postgres);
  const { accountId, coachId } = await insertCoach(postgres);
  const [user, owner, stranger] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  for (const id of [user, owner, stranger]) await postgres.query("insert into auth.users (id) values ($1)", [id]);
  await postgres.query("update coach_profiles set owner_id = $1 where id = $2", [owner, coachId]);
  const other = await insertCoach(postgres);
  await postgres.query("update coach_profiles set owner_id = $1 where id = $2", [stranger, other.coachId]);
  const threadId = await value("insert into threads (coach_id, user_id) values ($1, $2) returning id", [coachId, user]);
  const messageId = crypto.randomUUID();
  const questionId = crypto.randomUUID();
  const ids = [accountId, coachId, threadId, messageId];
  const sent = async () =>
    (await postgres.query(
      "select topic, event, payload - 'at' as payload, private from realtime.messages order by topic, inserted_at",
    ))
      .rows;
  const record = (kind: string, question: string | null = null) =>
    postgres.query("select private.record_event($1, $2, $3, $4, $5, $6)", [kind, ...ids, question]);

  await t.step("nothing, and no warning, until somebody has connected", async () => {
    const warnings: unknown[] = [];
    await postgres.query("select private.record_event('message.begun', $1, $2, $3)", [accountId, coachId, threadId], {
      onNotice: (notice) => warnings.push(notice.message),
    });
    assertEquals([await sent(), warnings], [[], []]);
    assertEquals(await value("select count(*)::int from private.events"), 1);
    await postgres.exec("select realtime.connect()");
  });

  await t.step("ids, on the private topics of the thread and of the coach", async () => {
    await record("message.begun");
    const begun = { event: "message.begun", payload: { thread_id: threadId, message_id: messageId }, private: true };
    assertEquals(await sent(), [`coach:${coachId}`, `thread:${threadId}`].map((topic) => ({ topic, ...begun })));
  });

  await t.step("an open question only to the expert", async () => {
    await postgres.exec("delete from realtime.messages");
    assertEquals(ofQuestions.length, 2);
    for (const kind of ofQuestions) await record(kind, questionId);
    assertEquals(
      await sent(),
      ofQuestions.map((event) => ({
        topic: `coach:${coachId}`,
        event,
        payload: { thread_id: threadId, message_id: messageId, question_id: questionId },
        private: true,
      })),
    );
  });

  await t.step("of an expert who is typing, the name that people see", async () => {
    await postgres.exec("delete from realtime.messages");
    await postgres.query("update coach_experts set name = 'Ada' where coach_id = $1 and user_id = $2", [
      coachId,
      owner,
    ]);
    await value("select tell_typing($1, $2, $3)", [{ account_id: accountId, user_id: owner }, owner, threadId]);
    await value("select tell_typing($1, $2, $3)", [{ account_id: accountId, user_id: user }, user, threadId]);
    const { rows } = await postgres.query<{ event: string; payload: Record<string, string> }>(
      "select event, payload from realtime.messages where topic like 'thread:%' order by inserted_at",
    );
    assertEquals(rows.map(({ event, payload: { name } }) => [event, name]), [["typing.expert", "Ada"], [
      "typing.user",
      undefined,
    ]]);
  });

  await t.step("where the broadcast fails, the event is recorded all the same", async () => {
    const before = await value("select count(*)::int from private.events");
    await postgres.exec("set test.is_broken = 'yes'");
    await record("message.completed");
    await postgres.exec("reset test.is_broken");
    assertEquals(await value("select count(*)::int from private.events"), before + 1);
  });

  await t.step(
    "a user joins the topics of own threads, an expert also that of the coach; nobody any other",
    async () => {
      const [ofThread, ofCoach] = [`thread:${threadId}`, `coach:${coachId}`];
      const topics = [
        ofThread,
        ofCoach,
        `coach:${other.coachId}`,
        `thread:${crypto.randomUUID()}`,
        "thread:x",
        "coach:",
        "x",
        `thread:${threadId}'`,
      ];
      /** As Realtime does: a row of the topic, read as the user who joins. */
      const mayJoin = async (userId: string | null, topic: string, extension = "broadcast", claims = {}) => {
        await postgres.exec("begin; delete from realtime.messages");
        await postgres.query("insert into realtime.messages (topic, extension) values ($1, $2)", [topic, extension]);
        await postgres.query(
          "select set_config('realtime.topic', $1, true), set_config('request.jwt.claims', $2, true)",
          [
            topic,
            userId === null ? "" : JSON.stringify({ sub: userId, ...claims }),
          ],
        );
        await postgres.exec("set local role authenticated");
        const count = await value("select count(*)::int from realtime.messages");
        await postgres.exec("rollback");
        return count === 1;
      };
      const joined = async (userId: string | null) => {
        const found = [];
        for (const topic of topics) if (await mayJoin(userId, topic)) found.push(topic);
        return found;
      };
      assertEquals(await joined(user), [ofThread]);
      assertEquals(await joined(owner), [ofThread, ofCoach]);
      assertEquals(await joined(stranger), [`coach:${other.coachId}`]);
      assertEquals(await joined(null), []);
      assertEquals(await mayJoin(user, ofThread, "presence"), false);
      // With the token of an AI client that they have let in, they join none.
      for (const topic of [ofThread, ofCoach]) {
        assertEquals(await mayJoin(owner, topic, "broadcast", { client_id: crypto.randomUUID() }), false);
      }
    },
  );

  await t.step("users can neither send to topics nor call what the policy asks", async () => {
    for (
      const statement of [
        `insert into realtime.messages (topic, extension) values ('thread:${threadId}', 'broadcast')`,
        `perform private.may_join('thread:${threadId}')`,
      ]
    ) {
      await postgres.exec("begin; set local role authenticated");
      await postgres.exec(`do $$
        begin
          ${statement};
          perform set_config('test.outcome', 'done', false);
        exception when insufficient_privilege then
          perform set_config('test.outcome', 'refused', false);
        end;
      $$; commit`);
      assertEquals(await value("select current_setting('test.outcome')"), "refused", statement);
    }
  });
});

Deno.test("without Supabase Realtime nothing of it is there", async () => {
  await using postgres = await createMigratedPostgres();
  const value = askForValue(postgres);
  assertEquals(await value("select count(*)::int from pg_trigger where tgname = 'events_broadcast'"), 0);
  const mayCall = "select has_function_privilege('authenticated', 'private.may_join(text)', 'execute')";
  assertEquals(await value(mayCall), false);
});
