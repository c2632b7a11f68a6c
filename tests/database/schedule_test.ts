import { assertEquals, assertMatch } from "../support/assert.ts";
import { createMigratedPostgres, readMigrations } from "../support/migrated_postgres.ts";

/** The parts of the extensions pg_net and supabase_vault that are used; calls are recorded in a table. */
const extensions = `
  create schema vault;
  create table vault.decrypted_secrets (name text, decrypted_secret text);
  create schema net;
  create table net.calls (url text, headers jsonb);
  create function net.http_post(url text, body jsonb, headers jsonb, timeout_milliseconds integer) returns bigint
  language sql as $$ insert into net.calls values (http_post.url, http_post.headers) returning 1 $$;
`;

const secrets = `
  insert into vault.decrypted_secrets values ('project_url', 'https://ref.supabase.co/'), ('secret_key', 'sb_secret_1');
`;

Deno.test("the schedule that calls the indexer", async (t) => {
  await using postgres = await createMigratedPostgres();
  await postgres.exec(extensions);
  const callsAfter = async (statement: string) => {
    await postgres.exec(`delete from net.calls; ${statement}; select private.wake_indexer()`);
    return (await postgres.query("select url, headers ->> 'apikey' as apikey from net.calls")).rows;
  };
  const call = [{ url: "https://ref.supabase.co/functions/v1/indexer", apikey: "sb_secret_1" }];
  const removal = (due: string) =>
    `delete from private.object_removals; insert into private.object_removals (storage_path, due_at) values ('a/b/1', now() + '${due}')`;

  await t.step("it calls nothing without its secrets in the vault", async () => {
    assertEquals(await callsAfter(removal("-1 second")), []);
  });

  await postgres.exec(secrets);
  await t.step("it calls with the secret key when an object is to be removed", async () => {
    assertEquals(await callsAfter(removal("-1 second")), call);
  });

  await t.step("it calls nothing while nothing is due", async () => {
    assertEquals(await callsAfter(removal("1 minute")), []);
  });

  await t.step("it calls when a file is due", async () => {
    const file = `
      insert into public.accounts (id, name) values ('00000000-0000-4000-8000-000000000001', 'A');
      insert into public.coach_profiles (id, account_id, name, title, instructions)
      values ('c', '00000000-0000-4000-8000-000000000001', 'N', 'T', 'I');
      insert into public.knowledge_files (account_id, coach_id, name, size, content_type, category, digest, storage_path)
      values ('00000000-0000-4000-8000-000000000001', 'c', 'a.txt', 1, 'text/plain', 'documents', repeat('0', 64), 'p')`;
    assertEquals(await callsAfter(file), call);
    assertEquals(await callsAfter("update public.knowledge_files set due_at = null"), []);
  });

  await t.step("it calls when a test is due", async () => {
    const run = `select import_tests('c', '[{"question": "Why?"}]'); select run_tests('c')`;
    assertEquals(await callsAfter(run), call);
    assertEquals(await callsAfter("select take_test()"), []);
    assertEquals(await callsAfter("update private.test_runs set status = 'stopped', ended_at = now()"), []);
  });

  await t.step("it calls when a deleted passage is still in the search index", async () => {
    const deletion = `select store_passages(id, 0, '[{"content": "Some words"}]') from public.knowledge_files;
      delete from public.passages`;
    assertEquals(await callsAfter(deletion), call);
    assertEquals(await callsAfter("select unindex_passages()"), []);
  });

  await t.step("it calls when threads may be too old for their account", async () => {
    const due = (time: string) =>
      `update public.accounts set retention_days = 90, retention_due_at = now() + '${time}'`;
    assertEquals(await callsAfter(due("-1 second")), call);
    assertEquals(await callsAfter(due("1 minute")), []);
    assertEquals(await callsAfter(`${due("-1 second")}; update public.accounts set retention_days = null`), []);
  });

  const account = "'00000000-0000-4000-8000-000000000001'";
  const later = "now() + interval '1 minute'";
  await postgres.exec(`
    insert into private.webhooks (account_id, url, secret) values (${account}, 'https://a.example', 'whsec_' || repeat('a', 32));
    insert into private.webhook_messages (account_id, kind, data, due_at) values (${account}, 'k', '{}', ${later});
    insert into public.threads (coach_id, user_id, taken_over_until) values ('c', 'u', ${later});
    insert into public.open_questions (account_id, coach_id, due_at) values (${account}, 'c', ${later});
    insert into private.response_removals (response_id, due_at) values ('resp_1', ${later});
    insert into private.uploads (account_id, coach_id, due_at) values (${account}, 'c', ${later});
    insert into public.knowledge_sources (account_id, coach_id, url, kind, refresh, due_at)
    values (${account}, 'c', 'https://example.com/', 'page', 'daily', ${later});
    insert into private.comparisons (file_id, due_at) select id, ${later} from public.knowledge_files;
    insert into private.topic_work (coach_id, due_at) values ('c', ${later});
    insert into private.phrases (coach_id, is_pinned, subject_id, is_active, content, due_at)
    values ('c', true, gen_random_uuid(), true, 'x', ${later});
    insert into private.budget_reservations (run_id, account_id, entries, model, input_tokens, embedding_tokens)
    values (gen_random_uuid(), ${account}, '{}', 'm', 0, 0);
    insert into private.mails (kind, account_id, address, due_at) values ('invitation', ${account}, 'a@b.example', ${later});
  `);
  for (
    const [table, column, name = "indexer"] of [
      ["private.response_removals", "due_at"],
      ["private.uploads", "due_at"],
      ["public.model_checks", "due_at"],
      ["public.knowledge_sources", "due_at", "fetcher"],
      ["private.webhook_messages", "due_at"],
      ["private.webhooks", "waiting_due_at"],
      ["public.threads", "taken_over_until"],
      ["public.open_questions", "due_at"],
      ["private.comparisons", "due_at"],
      ["private.topic_work", "due_at"],
      ["private.phrases", "due_at"],
      ["private.budget_reservations", "expires_at"],
      ["private.mails", "due_at", "mailer"],
    ]
  ) {
    await t.step(`it calls the ${name} when ${column} of ${table} has come`, async () => {
      const due = [{ ...call[0], url: `https://ref.supabase.co/functions/v1/${name}` }];
      assertEquals(await callsAfter(`update ${table} set ${column} = now()`), due);
      assertEquals(await callsAfter(`update ${table} set ${column} = ${later}`), []);
    });
  }
});

Deno.test("the clock forgets what is older than a week of its own calls", async () => {
  await using postgres = await createMigratedPostgres();
  // The parts of pg_cron that are used.
  await postgres.exec(`
    create schema cron;
    create table cron.job (jobid bigint generated always as identity, jobname text, schedule text, command text);
    create table cron.job_run_details (jobid bigint, end_time timestamptz);
    create function cron.schedule(name text, schedule text, command text) returns bigint language sql
      as 'insert into cron.job (jobname, schedule, command) values ($1, $2, $3) returning jobid';
    select cron.schedule('of somebody else', '* * * * *', '');
    select private.start_clock();
    insert into cron.job_run_details
    select job.jobid, now() - day * interval '1 day' from cron.job as job, unnest(array[6, 8]) as day;
  `);
  const { rows: [job] } = await postgres.query<{ command: string }>(
    "select command from cron.job where jobname = 'forget-calls'",
  );
  await postgres.exec(job!.command);
  const { rows } = await postgres.query(
    `select jobname, (now()::date - end_time::date) as days from cron.job_run_details join cron.job using (jobid)
     order by jobname, days`,
  );
  assertEquals(rows, [
    { jobname: "forget-calls", days: 6 },
    { jobname: "of somebody else", days: 6 },
    { jobname: "of somebody else", days: 8 },
    { jobname: "wake-indexer", days: 6 },
  ]);
});

Deno.test("a pg_cron that is there and cannot be used is no failure: no clock is started", async () => {
  await using postgres = await createMigratedPostgres();
  const { sql } = (await readMigrations()).find(({ file }) => file.endsWith("_indexing.sql"))!;
  const startsClock = sql.slice(sql.lastIndexOf("do $$"));
  const warnings: (string | undefined)[] = [];
  await postgres.exec(
    `create schema claims; create view claims.pg_available_extensions as select unnest(array['pg_cron', 'pg_net', 'supabase_vault']) as name;
     set search_path = claims, pg_catalog`,
  );
  await postgres.exec(startsClock, { onNotice: ({ message }) => void warnings.push(message) });
  assertMatch(warnings.join(), /^No clock is started, because pg_cron cannot be used: /);
});
