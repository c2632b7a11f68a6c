import { findTroubles, Status } from "../../shared/core/status/read_status.ts";
import { assert, assertEquals } from "../support/assert.ts";
import { askForValue, createMigratedPostgres, insertCoach } from "../support/migrated_postgres.ts";

Deno.test("SQL read_status", async (t) => {
  await using postgres = await createMigratedPostgres();
  await postgres.exec("create schema vault; create table vault.decrypted_secrets (name text, decrypted_secret text)");
  const value = askForValue(postgres);
  const { accountId, coachId } = await insertCoach(postgres);
  const read = async () => Status.parse(await value("select read_status()"));
  const troubles = async () => findTroubles(Status.parse(await value("select read_status(false)")));
  const thread = await value("insert into threads (coach_id, user_id) values ($1, 'u') returning id", [coachId]);
  const fail = (code: string) =>
    value(
      `insert into messages (thread_id, role, status, error, error_code, request_id)
       values ($1, 'assistant', 'failed', 'No reply', $2, 'req-1') returning id`,
      [thread, code],
    );

  await t.step("a clock that has never run, or stands still, is a trouble; each look for work is a tick", async () => {
    assertEquals([(await read()).clockSeconds, await troubles()], [null, ["clock"]]);
    for (const look of ["private.wake_indexer()", "public.take_indexing_work()"]) {
      await value(`select ${look}`);
      assertEquals([(await read()).clockSeconds, await troubles()], [0, []]);
      await postgres.exec("update private.clock set ticked_at = now() - interval '10 minutes'");
      assertEquals([(await read()).clockSeconds, await troubles()], [600, ["clock"]]);
    }
    await value("select private.wake_indexer()");
  });

  await t.step("a server of the model that does not answer is one, until it does", async () => {
    const due = () => value("select due_at <= now() from model_checks");
    await value("select save_model_check('[]')");
    await value("select save_model_check(null, 'TimeoutError')");
    await postgres.exec("update model_checks set failed_at = now() - interval '1 hour'");
    await value("select save_model_check(null, 'AuthenticationError 401')");
    const { model } = await read();
    assertEquals([model.failedSeconds, model.failure], [3_600, "AuthenticationError 401"]);
    assertEquals(await troubles(), ["model"]);
    await value("select save_model_check('[]')");
    assertEquals([(await read()).model, await troubles()], [
      { checkedSeconds: 0, failedSeconds: null, failure: null },
      [],
    ]);

    await fail("model_refused");
    await value("select private.wake_indexer()");
    assertEquals(await due(), false);
    await fail("model_unavailable");
    await value("select private.wake_indexer()");
    assertEquals(await due(), true, "an answer that failed because of the server has it asked at once");
  });

  await t.step("what waits is counted, and is a trouble after an hour; mails are none", async () => {
    const queueOf = async (name: string) => (await read()).queues.find((queue) => queue.name === name);
    assertEquals((await read()).queues.filter(({ waiting }) => waiting > 0), []);
    await postgres.exec(`
      insert into knowledge_files (account_id, coach_id, name, size, content_type, category, digest, storage_path, due_at)
      select '${accountId}', '${coachId}', 'a.txt', 7, 'text/plain', 'documents', encode(sha256(age::text::bytea), 'hex'), 'p' || age,
        now() - age * interval '1 minute' from unnest(array[-1, 5, 50]) as age`);
    assertEquals([await queueOf("files"), await troubles()], [{ name: "files", waiting: 2, seconds: 3_000 }, []]);
    await postgres.exec("update knowledge_files set due_at = due_at - interval '30 minutes'");
    assertEquals([await queueOf("files"), await troubles()], [{ name: "files", waiting: 3, seconds: 4_800 }, [
      "files",
    ]]);
    await postgres.exec(`
      update knowledge_files set due_at = null;
      insert into private.mails (kind, account_id, address, due_at, last_error)
      values ('invitation', '${accountId}', 'a@example.com', now() - interval '2 hours', '451 later');
      insert into private.refused_addresses (account_id, address_hash) values ('${accountId}', 'x')`);
    assertEquals([await queueOf("mails"), await troubles()], [{ name: "mails", waiting: 1, seconds: 7_200 }, []]);
  });

  await t.step("the details: what has failed, budgets that run low, migrations and sizes", async () => {
    await value("select set_webhook($1, 'https://example.com/hook')", [accountId]);
    await postgres.exec("update private.webhooks set failing_since = now(), last_error = '500'");
    const budget = async (amount: number, period: string) =>
      (await value(`select set_budget(account_id => $1, unit => 'tokens', amount => $2, period => $3)`, [
        accountId,
        amount,
        period,
      ])).id;
    const [low, _free] = [await budget(100, "day"), await budget(1_000, "month")];
    await postgres.exec(`insert into private.budget_uses (budget_id, starts_on, used)
      select id, private.period_start(period), 85 from budgets`);
    const { details } = await read();
    assert(details !== null);
    const { sizes, lastError, ...others } = details;
    assertEquals(others, {
      migrations: null,
      errors: [
        { kind: "answer", code: "model_refused", count: 1 },
        { kind: "answer", code: "model_unavailable", count: 1 },
      ],
      webhooks: { count: 1, failing: 1, lastError: "500" },
      mails: { failing: 1, lastError: "451 later", refusedAddresses: 1 },
      budgets: [{ accountName: "Test", id: low, percent: 85 }],
    });
    assertEquals([lastError?.error, lastError?.requestId], ["No reply", "req-1"]);
    assertEquals(sizes.fileBytes, 21);
    assert(sizes.databaseBytes > 0);
    assertEquals(sizes.rows, {
      knowledge_files: 3,
      messages: await value("select count(*)::int from messages"),
      passages: 0,
      threads: 1,
    });

    await postgres.exec(`create schema supabase_migrations;
      create table supabase_migrations.schema_migrations (version text);
      insert into supabase_migrations.schema_migrations values ('2'), ('1')`);
    assertEquals((await read()).details?.migrations, ["1", "2"]);
    assertEquals(Status.parse(await value("select read_status(false)")).details, null);
  });
});
