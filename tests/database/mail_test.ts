import type { PGlite } from "@electric-sql/pglite";
import { assert, assertEquals } from "../support/assert.ts";
import { handOver } from "../support/hand_over.ts";
import { askForValue, createMigratedPostgres, insertCoach } from "../support/migrated_postgres.ts";

/** The time at which a digest is due next. `when`: the digest, hour, weekday and time zone. */
const digests: [name: string, when: [string, number, number, string], after: string, due: string | null][] = [
  ["later today", ["daily", 8, 1, "UTC"], "2026-11-26T07:59:59Z", "2026-11-26T08:00:00Z"],
  ["tomorrow, at the moment itself", ["daily", 8, 1, "UTC"], "2026-11-26T08:00:00Z", "2026-11-27T08:00:00Z"],
  ["in winter time", ["daily", 8, 1, "Europe/Berlin"], "2026-11-26T00:00:00Z", "2026-11-26T07:00:00Z"],
  ["in summer time", ["daily", 8, 1, "Europe/Berlin"], "2026-07-26T00:00:00Z", "2026-07-26T06:00:00Z"],
  // 29 March 2026, 02:00 becomes 03:00; 25 October 2026, 03:00 becomes 02:00.
  [
    "the day before the clocks go forward",
    ["daily", 8, 1, "Europe/Berlin"],
    "2026-03-28T07:00:00Z",
    "2026-03-29T06:00:00Z",
  ],
  ["in the hour that is left out", ["daily", 2, 1, "Europe/Berlin"], "2026-03-28T12:00:00Z", "2026-03-29T01:00:00Z"],
  ["after the hour that is left out", ["daily", 2, 1, "Europe/Berlin"], "2026-03-29T01:00:00Z", "2026-03-30T00:00:00Z"],
  [
    "the day before the clocks go back",
    ["daily", 8, 1, "Europe/Berlin"],
    "2026-10-24T06:00:00Z",
    "2026-10-25T07:00:00Z",
  ],
  [
    "once in the hour that there is twice",
    ["daily", 2, 1, "Europe/Berlin"],
    "2026-10-24T12:00:00Z",
    "2026-10-25T01:00:00Z",
  ],
  ["between the two", ["daily", 2, 1, "Europe/Berlin"], "2026-10-25T00:30:00Z", "2026-10-25T01:00:00Z"],
  ["after both", ["daily", 2, 1, "Europe/Berlin"], "2026-10-25T01:00:00Z", "2026-10-26T01:00:00Z"],
  [
    "at midnight across the date line",
    ["daily", 0, 1, "Pacific/Kiritimati"],
    "2026-11-26T09:00:00Z",
    "2026-11-26T10:00:00Z",
  ],
  ["far to the west", ["daily", 23, 1, "Pacific/Pago_Pago"], "2026-11-26T00:00:00Z", "2026-11-26T10:00:00Z"],
  ["with a quarter of an hour", ["daily", 8, 1, "Asia/Kathmandu"], "2026-11-26T00:00:00Z", "2026-11-26T02:15:00Z"],
  [
    "with a clock that moves half an hour",
    ["daily", 8, 1, "Australia/Lord_Howe"],
    "2026-04-04T00:00:00Z",
    "2026-04-04T21:30:00Z",
  ],
  ["next Monday", ["weekly", 8, 1, "UTC"], "2026-11-26T00:00:00Z", "2026-11-30T08:00:00Z"],
  ["a week later", ["weekly", 8, 4, "UTC"], "2026-11-26T08:00:00Z", "2026-12-03T08:00:00Z"],
  ["on Sunday, which is 7", ["weekly", 8, 7, "America/New_York"], "2026-10-26T00:00:00Z", "2026-11-01T13:00:00Z"],
  ["on the local weekday", ["weekly", 1, 1, "Asia/Tokyo"], "2026-11-28T00:00:00Z", "2026-11-29T16:00:00Z"],
  [
    "in UTC, where the zone is not known any more",
    ["daily", 8, 1, "Mars/Olympus"],
    "2026-11-26T00:00:00Z",
    "2026-11-26T08:00:00Z",
  ],
  ["never", ["off", 8, 1, "UTC"], "2026-11-26T00:00:00Z", null],
];

Deno.test("the next digest, by time zone", async (t) => {
  await using postgres = await createMigratedPostgres();
  for (const [name, [digest, hour, weekday, zone], after, due] of digests) {
    await t.step(name, async () => {
      const { rows } = await postgres.query<{ at: Date | null }>(
        "select private.next_digest($1, $2, $3, $4, $5) as at",
        [digest, hour, weekday, zone, after],
      );
      assertEquals(rows[0]!.at?.toISOString().replace(".000", "") ?? null, due);
    });
  }

  await t.step("a year of digests has one a day, whatever the clocks do", async () => {
    for (const zone of ["Europe/Berlin", "America/St_Johns", "Africa/Casablanca", "Australia/Lord_Howe", "Asia/Gaza"]) {
      for (const hour of [0, 2, 3, 23]) {
        const { rows } = await postgres.query<{ days: number; times: number }>(
          `with recursive due (at) as (
             select private.next_digest('daily', $2, 1, $1, '2026-01-01')
             union all
             select private.next_digest('daily', $2, 1, $1, due.at) from due where due.at < '2027-01-01'
           )
           select count(distinct (at at time zone $1)::date)::integer as days, count(*)::integer as times from due`,
          [zone, hour],
        );
        assertEquals(rows[0]!.days, rows[0]!.times, `${zone} ${hour}`);
        assert(rows[0]!.days >= 365);
      }
    }
  });
});

async function prepare() {
  await using stack = new AsyncDisposableStack();
  const postgres = stack.use(await createMigratedPostgres());
  const value = askForValue(postgres);
  const { accountId, coachId } = await insertCoach(postgres);
  const userId = crypto.randomUUID();
  await postgres.query("insert into auth.users (id, email) values ($1, $2)", [userId, `${userId}@example.com`]);
  await postgres.query("update coach_profiles set owner_id = $1 where id = $2", [userId, coachId]);
  const enqueue = (bundle: string | null = null) =>
    postgres.query("select private.enqueue_mail('digest', $1, $2, $3, bundled_as => $4)", [
      accountId,
      coachId,
      userId,
      bundle,
    ]);
  // deno-lint-ignore no-explicit-any
  const take = (most = 10): Promise<any[]> => value("select take_mails($1)", [most]);
  const finish = (mail: { id: string; claim: string }, outcome: Record<string, unknown>) =>
    value("select finish_mails($1)", [
      JSON.stringify([{
        address: `${userId}@example.com`,
        error: null,
        reply: null,
        is_final: false,
        ...mail,
        ...outcome,
      }]),
    ]);
  const waiting = () => rowsOf(postgres);
  // So that a digest has something to tell.
  await postgres.query("insert into open_questions (account_id, coach_id, question) values ($1, $2, 'Why?')", [
    accountId,
    coachId,
  ]);
  return handOver(stack, { postgres, value, accountId, coachId, userId, enqueue, take, finish, waiting });
}

async function rowsOf(postgres: PGlite) {
  const { rows } = await postgres.query<
    { attempts: number; claim: string | null; seconds: number; last_error: string | null }
  >(
    "select attempts, claim, round(extract(epoch from due_at - now()))::integer as seconds, last_error from private.mails",
  );
  return rows;
}

Deno.test("the outbox of mails", async (t) => {
  await using prepared = await prepare();
  const { postgres, value, userId, enqueue, take, finish, waiting } = prepared;

  await t.step("a mail is claimed once, for three minutes", async () => {
    await enqueue();
    const clock = () => value("select clock_timestamp()::text");
    const before = await clock();
    const [mail, ...more] = await take();
    const after = await clock();
    assertEquals([more, await take()], [[], []]);
    assertEquals([mail.kind, mail.address, mail.coach_name, mail.content], [
      "digest",
      `${userId}@example.com`,
      "Ada",
      { count: 1, questions: [{ question: "Why?", people: 0 }] },
    ]);
    assertEquals((await waiting()).map(({ attempts }) => attempts), [1]);
    // To the microsecond, however long it took to look.
    const isExact = "due_at - interval '3 minutes' between $1::timestamptz and $2::timestamptz";
    assertEquals(await value(`select ${isExact} from private.mails`, [before, after]), true);
  });

  await t.step(
    "that of a worker that was killed is due again when its claim runs out, and late results are ignored",
    async () => {
      const claim = (await waiting())[0]!.claim!;
      const [{ id }] = (await postgres.query<{ id: string }>("select id from private.mails")).rows as [{ id: string }];
      await postgres.query("update private.mails set due_at = now()");
      const [again] = await take();
      assertEquals([again.id, again.claim === claim], [id, false]);
      assertEquals(await finish({ id, claim }, {}), []);
      assertEquals((await waiting()).length, 1);
      assertEquals(await finish(again, {}), []);
      assertEquals(await waiting(), []);
    },
  );

  await t.step("one that failed is tried again after growing pauses, and given up after a day", async () => {
    await enqueue();
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 8; attempt++) {
      await postgres.query("update private.mails set due_at = now()");
      const [mail] = await take();
      assertEquals(await finish(mail, { error: "It answered 451" }), []);
      const [row] = await waiting();
      assertEquals([row!.claim, row!.last_error], [null, "It answered 451"]);
      pauses.push(row!.seconds);
    }
    assertEquals(pauses, [30, 120, 600, 1_800, 3_600, 10_800, 21_600, 43_200]);
    await postgres.query("update private.mails set due_at = now(), created_at = now() - interval '1 day'");
    const [mail] = await take();
    const [givenUp, ...more] = await finish(mail, { error: "It cannot be reached" });
    assertEquals([givenUp.kind, givenUp.error, more], ["digest", "It cannot be reached", []]);
    assertEquals(await waiting(), []);
  });

  await t.step("one that another try would not help is given up immediately", async () => {
    await enqueue();
    const [mail] = await take();
    assertEquals((await finish(mail, { error: "It refused the mail with 554", is_final: true })).length, 1);
    assertEquals(await waiting(), []);
  });

  await t.step("what nobody has tried yet is one mail with the rest of its bundle; what was tried is not", async () => {
    await enqueue("digest x");
    await enqueue("digest x");
    assertEquals((await waiting()).length, 1);
    const [mail] = await take();
    await enqueue("digest x");
    assertEquals((await waiting()).length, 2);
    await finish(mail, {});
    const [other] = await take();
    await finish(other, {});
    assertEquals(await waiting(), []);
  });

  await t.step("what has waited longest is sent first", async () => {
    for (const bundle of ["first", "second", "third"]) {
      await enqueue(bundle);
      await postgres.exec("update private.mails set due_at = due_at - interval '1 minute'");
    }
    const oldest = () => value("select id from private.mails where claim is null order by due_at limit 1");
    for (let left = 3; left > 0; left--) {
      const id = await oldest();
      const [mail, ...more] = await take(1);
      assertEquals([mail.id, more], [id, []]);
      await finish(mail, {});
    }
  });

  await t.step("without a mail server, what waits is deleted after a day", async () => {
    await enqueue();
    await postgres.query("update private.mails set due_at = now() - interval '25 hours'");
    await postgres.exec("select private.delete_old_mails()");
    assertEquals(await waiting(), []);
  });

  await t.step(
    "nothing is sent to an address that is not confirmed, or to somebody who is no expert any more",
    async () => {
      await enqueue();
      await postgres.query("update auth.users set email_confirmed_at = null where id = $1", [userId]);
      assertEquals([await take(), await waiting()], [[], []]);
      await postgres.query("update auth.users set email_confirmed_at = now() where id = $1", [userId]);
      await enqueue();
      await postgres.query("delete from coach_experts where user_id = $1", [userId]);
      assertEquals([await take(), await waiting()], [[], []]);
    },
  );
});

Deno.test("digests are made when they are due", async (t) => {
  await using prepared = await prepare();
  const { postgres, coachId, take, finish, waiting } = prepared;
  const due = () => postgres.query("update private.mail_settings set digest_due_at = now()");
  const sent = async () => {
    await due();
    const mails = await take();
    for (const mail of mails) await finish(mail, {});
    return mails.length;
  };

  await t.step("the first one, with what waits", async () => assertEquals(await sent(), 1));
  await t.step("none while nothing is new", async () => assertEquals(await sent(), 0));
  await t.step("one when a question was asked again", async () => {
    await postgres.query("update open_questions set last_asked_at = now() + interval '1 second' where coach_id = $1", [
      coachId,
    ]);
    assertEquals(await sent(), 1);
    await postgres.query("update open_questions set last_asked_at = now() - interval '1 hour' where coach_id = $1", [
      coachId,
    ]);
    assertEquals(await sent(), 0);
  });
  await t.step("one after a week, as a reminder", async () => {
    await postgres.query("update private.mail_settings set digested_at = now() - interval '7 days 1 second'");
    assertEquals(await sent(), 1);
  });
  await t.step("none when nothing waits", async () => {
    await postgres.query("update open_questions set status = 'answered' where coach_id = $1", [coachId]);
    await postgres.query("update private.mail_settings set digested_at = '-infinity'");
    assertEquals([await sent(), await waiting()], [0, []]);
  });
  await t.step("the next one is due in the future", async () => {
    const { rows } = await postgres.query<{ ok: boolean }>(
      "select digest_due_at > now() as ok from private.mail_settings",
    );
    assertEquals(rows, [{ ok: true }]);
  });
});

Deno.test("after a dozen calls in an hour, an expert is told the rest together", async () => {
  await using prepared = await prepare();
  const { postgres, accountId, coachId, waiting } = prepared;
  for (let call = 0; call < 15; call++) {
    await postgres.query("select private.mail_call($1, $2, gen_random_uuid())", [accountId, coachId]);
    // Each is tried immediately.
    await postgres.query("update private.mails set attempts = 1 where due_at <= now()");
  }
  const rows = await waiting();
  assertEquals(rows.filter(({ seconds }) => seconds <= 0).length, 12);
  assertEquals(rows.filter(({ seconds }) => seconds > 3_500).length, 1);
});

Deno.test("webhooks are told what waits and what has failed", async (t) => {
  await using prepared = await prepare();
  const { postgres, value, accountId, coachId } = prepared;
  await value("select set_webhook($1, 'https://hooks.example/')", [accountId]);
  const told = async () => {
    const { rows } = await postgres.query("select kind, data from private.webhook_messages order by created_at");
    await postgres.exec("delete from private.webhook_messages");
    return rows;
  };

  await t.step("once a day, how many questions wait", async () => {
    await postgres.exec(
      "update private.webhooks set waiting_due_at = now(); select private.tell_waiting(), private.tell_waiting()",
    );
    // The question of this test was never asked by anybody.
    assertEquals(await told(), []);
    const threadId = crypto.randomUUID();
    await postgres.query(
      "insert into threads (id, account_id, coach_id, user_id, title) values ($1, $2, $3, 'u', 'T')",
      [
        threadId,
        accountId,
        coachId,
      ],
    );
    const messageId = await value(
      "insert into messages (thread_id, role, content) values ($1, 'assistant', 'A') returning id",
      [threadId],
    );
    await postgres.query(
      `insert into private.askings (message_id, question_id, thread_id, user_id, reason, asked_at)
       select $1, id, $2, 'u', 'unknown', now() from open_questions where coach_id = $3`,
      [messageId, threadId, coachId],
    );
    await told();
    await postgres.exec(
      "update private.webhooks set waiting_due_at = now(); select private.tell_waiting(), private.tell_waiting()",
    );
    assertEquals(await told(), [{ kind: "questions.waiting", data: { coach_id: coachId, questions: 1, people: 1 } }]);
  });

  await t.step("that a file or a source has failed, once for each time", async () => {
    const fileId = await value(
      `insert into knowledge_files (account_id, coach_id, name, size, content_type, category, digest, storage_path)
       values ($1, $2, 'a.txt', 1, 'text/plain', 'documents', repeat('0', 64), 'p') returning id`,
      [accountId, coachId],
    );
    const sourceId = await value(
      `insert into knowledge_sources (account_id, coach_id, url, kind, refresh)
       values ($1, $2, 'https://site.example/', 'page', 'daily') returning id`,
      [accountId, coachId],
    );
    for (let time = 0; time < 2; time++) await postgres.query("update knowledge_files set status = 'failed'");
    await postgres.query("update knowledge_sources set status = 'failed'");
    assertEquals(await told(), [
      { kind: "file.failed", data: { coach_id: coachId, file_id: fileId } },
      { kind: "source.failed", data: { coach_id: coachId, source_id: sourceId } },
    ]);
  });
});

Deno.test("the address of a request is forgotten", async (t) => {
  await using prepared = await prepare();
  const { postgres, value, accountId, coachId } = prepared;

  /** Whether the address of a request is there after the sweep; the state: what was so many days ago. */
  async function isKept({ given, answered, withdrawn, isConfirmed }: {
    given: number;
    answered?: number;
    withdrawn?: number;
    isConfirmed: boolean;
  }): Promise<boolean> {
    const threadId = await value("insert into threads (coach_id, user_id) values ($1, 'u') returning id", [coachId]);
    const add = (role: string) =>
      value("insert into messages (thread_id, role, content) values ($1, $2, 'Said') returning id", [threadId, role]);
    const [question, answer] = [await add("user"), await add("assistant")];
    const id = await value(
      `insert into private.requests (account_id, coach_id, thread_id, message_id, answer_id)
       values ($1, $2, $3, $4, $5) returning id`,
      [accountId, coachId, threadId, question, answer],
    );
    const request = `(select request from private.requests as request where request.id = '${id}')`;
    const passDays = (days: number) =>
      value("update private.requests set forget_at = forget_at - $1 * interval '1 day' where id = $2", [days, id]);
    await postgres.query(`select private.take_address(${request}, 'u', '${id}@example.com', null)`);
    if (isConfirmed) await value(`select confirm_mail(address_id) from private.requests where id = $1`, [id]);
    if (answered !== undefined) {
      await postgres.query(`select private.end_request(${request}, $1)`, [answer]);
    } else if (withdrawn !== undefined) {
      const caller = JSON.stringify({ account_id: accountId });
      await postgres.query("select withdraw_request($1, null, $2, $3)", [caller, threadId, id]);
    }
    await passDays(answered ?? withdrawn ?? given);
    await postgres.query("select private.delete_old_mails()");
    return await value("select address is not null and address_id is not null from private.requests where id = $1", [
      id,
    ]);
  }

  await t.step("a week after it was given, unless it was confirmed", async () => {
    assertEquals(await isKept({ given: 6.9, isConfirmed: false }), true);
    assertEquals(await isKept({ given: 7, isConfirmed: false }), false);
    assertEquals(await isKept({ given: 1_000, isConfirmed: true }), true);
  });
  await t.step("otherwise a month after the answer or the withdrawal", async () => {
    for (const end of ["answered", "withdrawn"]) {
      assertEquals(await isKept({ given: 0, [end]: 29.9, isConfirmed: true }), true, end);
      assertEquals(await isKept({ given: 0, [end]: 30, isConfirmed: true }), false, end);
    }
  });
});
