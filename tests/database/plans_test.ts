import type { PGlite, Transaction } from "@electric-sql/pglite";
import { assert, assertEquals } from "../support/assert.ts";
import { beginTurn, createMigratedPostgres, insertCoach, readInSql } from "../support/migrated_postgres.ts";
import { nightly, slow } from "../support/slow.ts";

/** After this many calls, Postgres has decided whether to plan a statement again for each call. */
const callsOfEach = 7;

/** Tables that do not grow with messages, uploads or questions. */
const small = ["clock", "model_checks"];

/** A call that the service makes for a request, for progress that is saved each second, or for a sweep. */
type Call = {
  sql: string;
  /** The number of rows it may read in all tables together, whatever their size, besides the `lanes`. */
  reads: number;
};

/** The rows in which the requests of a key are counted: four, which are read before and after one of them is locked. */
const lanes = 9;

Deno.test("statements read the rows they need and no table from end to end", async (t) => {
  // Each size begins with empty tables; filling larger ones takes minutes.
  for (const rows of [0, 1_000, 10_000, 100_000]) {
    await t.step({
      name: `${rows} rows in each table`,
      ...(rows > 1_000 ? nightly : slow),
      fn: async () => {
        await using postgres = await createMigratedPostgres();
        await beginAsRest(postgres);
        const tenant = await createTenant(postgres);
        const calls = describeCalls(tenant);
        const found: string[] = [];
        const callAll = async (when: string) => {
          for (const [name, call] of Object.entries(calls)) {
            found.push(...(await findWaste(postgres, call)).map((waste) => `${name}, ${when}: ${waste}`));
          }
        };
        await callAll("empty tables");
        await fill(postgres, tenant, rows);
        await callAll("plans of empty tables");
        await postgres.exec("discard plans");
        await callAll("no statistics");
        await postgres.exec("vacuum analyze");
        await callAll("statistics");
        assertEquals(found, []);
      },
    });
  }
});

Deno.test("a turn rewrites few rows, and leaves the indexes of messages alone", async () => {
  await using postgres = await createMigratedPostgres();
  const { accountId, coachId } = await insertCoach(postgres);
  const begin = (threadId: string | null) =>
    beginTurn(postgres, { account_id: accountId, coach_id: coachId, thread_id: threadId });
  const save = ({ message_id: id }: { message_id: string }, status: string, content: string) =>
    postgres.query("select save_turns($1)", [JSON.stringify([{ message_id: id, run_id: id, status, content }])]);
  const countUpdates = async () =>
    Object.fromEntries(
      (await postgres.query<{ table: string; updates: number; hot: number }>(`
        select relname as table, n_tup_upd::int as updates, n_tup_hot_upd::int as hot from pg_stat_xact_user_tables
        where relname in ('threads', 'messages')
      `)).rows.map(({ table, updates, hot }) => [table, { updates, hot }]),
    );
  const first = await begin(null);
  await save(first, "complete", "Whole");

  await postgres.exec("begin");
  const before = await countUpdates();
  const turn = await begin(first.thread_id);
  for (const content of ["one", "one two", "one two three"]) await save(turn, "streaming", content);
  const during = await countUpdates();
  await save(turn, "complete", "one two three.");
  const after = await countUpdates();
  await postgres.exec("rollback");

  const added = (later: typeof before, earlier: typeof before, table: string) => [
    later[table]!.updates - earlier[table]!.updates,
    later[table]!.hot - earlier[table]!.hot,
  ];
  assertEquals(added(during, before, "messages"), [3, 3]);
  assertEquals(added(during, before, "threads"), [0, 0]);
  assertEquals(added(after, during, "messages"), [1, 1]);
  assertEquals(added(after, during, "threads")[0], 1);
});

Deno.test("the sources of an answer are looked up one by one, however long their file is", async () => {
  await using postgres = await createMigratedPostgres();
  const { accountId, coachId } = await insertCoach(postgres);
  const passages = Array.from(
    { length: 400 },
    (_, n) => ({ content: `Harbour${n} is dredged by ship${n} of captain${n}.` }),
  );
  // A text may stand in a file twice.
  const file = [...passages, passages[7]!];
  await postgres.query(
    `insert into knowledge_files (id, account_id, coach_id, name, size, content_type, category, digest, storage_path, due_at)
     values ($1, $2, $3, 'Harbours.md', 1, 'text/plain', 'documents', repeat('a', 64), 'harbours', null)`,
    [uuid("f", 1), accountId, coachId],
  );
  await postgres.query("select store_passages($1, 0, $2)", [uuid("f", 1), JSON.stringify(file)]);
  await postgres.exec("vacuum analyze");
  const content = "In harbour7, captain7 dredges with ship7; ship8 is late.";
  const chosen = await postgres.transaction(async (transaction) => {
    const readsOfPassages = async () =>
      (await countReads(transaction)).find(({ table }) => table === "passages")!.reads;
    const before = await readsOfPassages();
    const { rows: [row] } = await transaction.query<{ sources: { n: number }[] }>(
      `select private.choose_given($1, $2, jsonb_agg(jsonb_build_object('n', n, 'passageId', md5($3::jsonb->n->>'content'),
         'fileId', $4::text))) as sources from generate_series(0, 9) as n`,
      [coachId, content, JSON.stringify(passages), uuid("f", 1)],
    );
    return { numbers: row!.sources.map(({ n }) => n), reads: await readsOfPassages() - before };
  });
  assertEquals(chosen.numbers, [7]);
  assert(chosen.reads <= 20, `${chosen.reads} passages were read`);
});

/** Calls a function several times, in a transaction that is undone, and says which tables it has read too much of. */
async function findWaste(postgres: PGlite, { sql, reads }: Call): Promise<string[]> {
  const waste: string[] = [];
  await postgres.transaction(async (transaction) => {
    const before = await countReads(transaction);
    for (let call = 0; call < callsOfEach; call++) await transaction.query(sql);
    const tables = (await countReads(transaction)).map(({ table, scans, reads }) => {
      const earlier = before.find((each) => each.table === table);
      return { table, scans: scans - (earlier?.scans ?? 0), reads: (reads - (earlier?.reads ?? 0)) / callsOfEach };
    });
    for (const { table, scans } of tables) {
      if (scans > 0 && !small.includes(table)) waste.push(`${scans} scans of ${table}`);
    }
    if (tables.reduce((sum, table) => sum + table.reads, 0) > reads + lanes) {
      const read = tables.filter((table) => table.reads > 0).map((table) =>
        `${table.reads.toFixed(1)} of ${table.table}`
      );
      waste.push(`more than ${reads} rows a call: ${read.join(", ")}`);
    }
    await transaction.rollback();
  });
  return waste;
}

/** The number of full scans of each table by this process, and of all rows it has read. */
async function countReads(transaction: Transaction) {
  return (await transaction.query<{ table: string; scans: number; reads: number }>(`
    select relname as table, seq_scan::int as scans, (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as reads
    from pg_stat_xact_user_tables
  `)).rows;
}

type Tenant = { accountId: string; coachId: string; longThread: string; shortThread: string };

/** A tenant with two threads, a hundred answers that are being written, and thirty files. */
/** Applies the settings of the service's role, as REST does to each request. */
async function beginAsRest(postgres: PGlite): Promise<void> {
  const { rows } = await postgres.query(
    `select set_config(split_part(setting, '=', 1), split_part(setting, '=', 2), false)
     from pg_roles, unnest(rolconfig) as setting where rolname = 'service_role'`,
  );
  assert(rows.length > 0);
}

async function createTenant(postgres: PGlite): Promise<Tenant> {
  const { accountId, coachId } = await insertCoach(postgres);
  const [longThread, shortThread] = [uuid("b", 1), uuid("b", 2)];
  await postgres.exec(`
    insert into threads (id, account_id, coach_id, user_id, updated_at) values
      ('${longThread}', '${accountId}', '${coachId}', 'u', now() - interval '1 day'),
      ('${shortThread}', '${accountId}', '${coachId}', 'u', now() - interval '2 days');
    insert into threads (id, account_id, coach_id, user_id, updated_at)
    select ${asUuid("a")}, '${accountId}', '${coachId}', 'u', now() - n * interval '1 minute'
    from generate_series(1, 150) as n;
    insert into messages (thread_id, role, content, created_at, sources)
    select '${shortThread}', case n % 2 when 0 then 'user' else 'assistant' end, 'Some words.', now() + n * interval '1 ms',
      case n % 2 when 1 then '[{"fileId": "${uuid("f", 1)}", "quote": "Boats"}]'::jsonb end
    from generate_series(1, 60) as n;
    update threads set needs_reply_at = case when id < '${uuid("a", 30)}' then now() end,
      has_down = id between '${uuid("a", 20)}' and '${uuid("a", 40)}', is_closed = id > '${uuid("a", 100)}';
    insert into private.thread_facts (thread_id, coach_id, email, note)
    select id, coach_id, 'u@example.com', 'Call back' from threads;
    insert into messages (id, thread_id, role, content, status, run_id)
    select ${asUuid("c")}, ${asUuid("a")}, 'assistant', 'So far', 'streaming', ${asUuid("c")}
    from generate_series(1, 100) as n;
    insert into private.api_keys (id, account_id, digest, prefix, name, scopes)
    values ('${uuid("d", 0)}', '${accountId}', 'digest', 'p', 'n', public.known_scopes());
    insert into knowledge_files (id, account_id, coach_id, name, size, content_type, category, digest, storage_path, due_at)
    select ${asUuid("f")}, '${accountId}', '${coachId}', 'Guide ' || n || '.md', 1, 'text/plain', 'documents',
      lpad(to_hex(n), 64, '0'), 'ours ' || n, null from generate_series(1, 30) as n;
    select store_passages(id, 0, '[{"content": "Rivers carry boats."}, {"content": "Boats need harbours and tides."}]')
    from knowledge_files where coach_id = '${coachId}';
    update knowledge_files set status = 'ready';
    select private.bar_passages('${coachId}', array[md5('Boats need harbours and tides.')], null);
    insert into coach_profiles (account_id, id, name, title, instructions)
    values ('${accountId}', 'expert', 'Expert', 'Coach', 'Teach.');
    select private.pin_answer('${accountId}', 'expert', array[${readInSql("'What does owl ' || n || ' eat?'")}, ${
    readInSql("'Food of owl ' || n")
  }], 'Mice.', null, false)
    from generate_series(1, 30) as n;
  `);
  await postgres.exec(`
    insert into knowledge_sources (id, account_id, coach_id, url, kind, refresh, status, due_at, taken_at)
    values ('${
    uuid("6", 0)
  }', '${accountId}', '${coachId}', 'https://tides.example/', 'site', 'daily', 'reading', now(), now());
    insert into source_pages (source_id, url, due_at, claim)
    select '${uuid("6", 0)}', 'https://tides.example/' || n, now(), case n when 1 then '${uuid("6", 1)}'::uuid end
    from generate_series(1, 500) as n;
  `);
  await postgres.exec(`
    insert into open_questions (id, account_id, coach_id, question, claim)
    values ('${uuid("9", 0)}', '${accountId}', '${coachId}', 'Who rows?', '${uuid("9", 0)}');
    select private.store_phrases('${coachId}', false, '${uuid("9", 0)}', '{Who rows?,Who has words?}');
    select private.key_phrases('${uuid("9", 0)}', array[${readInSql("'Who rows?'")}, ${readInSql("'Who has words?'")}]);
  `);
  const tenant = { accountId, coachId, longThread, shortThread };
  await talk(postgres, tenant, shortThread);
  return tenant;
}

/** Runs a turn, whose end settles the messages that were written into the thread by hand. */
async function talk(postgres: PGlite, { accountId, coachId }: Tenant, threadId: string): Promise<void> {
  const turn = await beginTurn(postgres, { account_id: accountId, coach_id: coachId, thread_id: threadId });
  const id = turn.message_id;
  await postgres.query("select save_turns($1)", [
    JSON.stringify([{ message_id: id, run_id: id, status: "complete", content: "Whole" }]),
  ]);
}

/**
 * Inserts about this many rows into each table that grows. A quarter of the messages are in the tenant's long thread.
 */
async function fill(postgres: PGlite, tenant: Tenant, rows: number): Promise<void> {
  const { accountId, coachId, longThread } = tenant;
  const { accountId: otherAccountId, coachId: otherCoachId } = await insertCoach(postgres);
  await postgres.exec(`
    insert into coach_profiles (account_id, name, title, instructions)
    select '${otherAccountId}', 'Other', 'Coach', 'Teach.' from generate_series(1, ${rows / 10}) as n;

    insert into coach_profiles (account_id, name, title, instructions)
    select '${accountId}', 'Coach ' || n, 'Coach', 'Teach.' from generate_series(1, ${rows / 10}) as n;

    insert into threads (account_id, coach_id, user_id, updated_at)
    select '${accountId}', '${coachId}', case n % 4 when 0 then 'u' else 'user ' || n end, now() - n * interval '1 minute'
    from generate_series(1, ${rows}) as n;
    insert into private.thread_facts (thread_id, coach_id, email) select id, coach_id, 'u@example.com' from threads
    on conflict do nothing;
    insert into messages (thread_id, role, content, request_id, created_at, sources)
    select case n / 2 % 4 when 0 then '${longThread}' else ${asUuid("a", "1 + n % 100")} end,
      case n % 2 when 0 then 'user' else 'assistant' end, 'Some words.', 'r' || n,
      now() - interval '1 day' + n * interval '1 ms',
      case n % 2 when 1 then jsonb_build_array(jsonb_build_object('fileId', ${asUuid("e")})) end
    from generate_series(1, ${rows}) as n;
    -- As the ends of their turns have left the threads in which answers are being written.
    update threads as thread set (settled_count, settled_until) = (
      select count(*), coalesce(max(said.created_at), '-infinity') from messages as said
      where said.thread_id = thread.id and said.status <> 'streaming'
    ) where thread.id in (select message.thread_id from messages as message where message.status = 'streaming');

    insert into private.api_keys (id, account_id, digest, prefix, name)
    select ${asUuid("d")}, '${accountId}', 'digest ' || n, 'p', 'n' from generate_series(1, ${rows}) as n;
    insert into private.token_issuers (account_id, name, issuer, jwks_url, audience)
    select id, 'acme', 'https://login.example', 'https://login.example/keys', 'app' from accounts;
    insert into private.token_issuers (account_id, name, issuer, jwks_url, audience)
    select '${otherAccountId}', 'acme-' || n, 'https://login.example/' || n, 'https://login.example/keys', 'app'
    from generate_series(1, ${rows}) as n;
    insert into private.rate_limit_windows (api_key_id) select ${asUuid("d")} from generate_series(1, ${rows}) as n;
    insert into private.usage_counts (account_id, at, api_key_id, coach_id)
    select '${accountId}', current_date - n, '${uuid("d", 0)}', '${coachId}' from generate_series(1, ${rows}) as n;
    insert into private.askers (coach_id, at, user_id)
    select '${coachId}', current_date - 300 - n / 100, 'user ' || n from generate_series(1, ${rows}) as n;
    insert into private.idempotency_keys (account_id, user_id, operation, key, fingerprint, reply)
    select '${accountId}', '', 'upload', 'key ' || n, 'f', '[]' from generate_series(1, ${rows}) as n;

    insert into private.askings (message_id, question_id, thread_id, user_id, reason, asked_at)
    select said.id, '${uuid("9", 0)}', said.thread_id, 'user ' || said.sequence, 'unknown', said.created_at
    from messages as said where said.role = 'assistant' and said.thread_id = '${longThread}' and said.status = 'complete';
    insert into open_questions (id, account_id, coach_id, question, times, people, due_at, first_asked_at)
    select ${
    asUuid("9")
  }, '${accountId}', '${coachId}', 'Question ' || n, n % 7, n % 7, null, now() - (300 + n / 100) * interval '1 day'
    from generate_series(1, ${rows}) as n;
    insert into private.phrases (coach_id, is_pinned, subject_id, is_active, content, key, words, stop_words)
    select '${coachId}', false, ${asUuid("9")}, true, 'Row', gen_random_uuid(), '{row}', '{}'
    from generate_series(1, ${rows}) as n;
    insert into private.phrase_words (coach_id, is_pinned, word, subject_id, phrase_id, weight)
    select '${coachId}', false, word, ${asUuid("9")}, n, 0.5
    from generate_series(1, ${rows}) as n cross join unnest(array['', 'row']) as word;
    insert into private.events (kind, account_id, coach_id, thread_id, created_at)
    select 'message.begun', '${otherAccountId}', '${otherCoachId}', ${asUuid("a")}, now() - n * interval '5 ms'
    from generate_series(1, ${rows}) as n;
    insert into private.events (kind, account_id, coach_id, thread_id, created_at)
    select 'message.begun', '${accountId}', '${coachId}', '${longThread}', now() - n * interval '3 s'
    from generate_series(1, 190) as n;

    insert into private.topic_work (coach_id, due_at) select id, now() + interval '1 hour' from coach_profiles;
    update private.topic_work set due_at = now() where coach_id = '${coachId}';
    insert into private.topics (id, coach_id, name) select ${asUuid("7")}, '${coachId}', 'Topic ' || n
    from generate_series(1, 60) as n;
    insert into private.topic_threads (thread_id, coach_id, topic_id, user_id, began_at, words)
    select said.id, '${coachId}', ${asUuid("7", "1 + n % 60")}, said.user_id, now() - n * interval '1 hour', '{row}'
    from (
      select thread.id, thread.user_id, row_number() over (order by thread.updated_at desc) as n from threads as thread
      where thread.coach_id = '${coachId}' and thread.id <> '${longThread}'
    ) as said;

    insert into private.webhooks (account_id, url, secret)
    select id, 'https://example.com/', 'whsec_' || repeat('a', 44) from accounts;
    insert into private.webhook_messages (id, account_id, kind, data, due_at)
    select ${
    asUuid("a")
  }, case n % 2 when 0 then '${accountId}' else '${otherAccountId}' end::uuid, 'feedback.down', '{}',
      now() + (n - 100.5) * interval '1 minute'
    from generate_series(1, ${rows}) as n;

    insert into private.response_removals (response_id, due_at)
    select 'resp ' || n, now() + (n - 100.5) * interval '1 minute' from generate_series(1, ${rows}) as n;
    insert into private.unkept_answers (message_id, run_id, due_at)
    select gen_random_uuid(), gen_random_uuid(), now() + n * interval '1 minute' from generate_series(1, ${rows}) as n;
    insert into private.object_removals (storage_path, due_at)
    select 'path ' || n, now() + (n - 100.5) * interval '1 minute' from generate_series(1, ${rows}) as n;
    insert into private.uploads (account_id, coach_id, due_at)
    select '${accountId}', '${coachId}', now() + n * interval '1 minute' from generate_series(1, ${rows}) as n;

    insert into knowledge_files (id, account_id, coach_id, name, size, content_type, category, digest, storage_path, due_at)
    select ${asUuid("e")}, '${otherAccountId}', '${otherCoachId}', 'report ' || n, 1, 'text/plain', 'documents',
      lpad(to_hex(n), 64, '0'), 'other ' || n, case when n % 2 = 0 then now() end
    from generate_series(1, ${rows}) as n;
    insert into private.comparisons (file_id, due_at) select ${asUuid("e")}, now() + n * interval '1 minute'
    from generate_series(1, ${rows}) as n;
    insert into private.contradictions
      (coach_id, file_id, passage_id, other_file_id, other_passage_id, statements, is_confirmed)
    select '${otherCoachId}', ${asUuid("e")}, md5('A report.'), ${
    asUuid("e", "1 + n % " + rows)
  }, md5('A report.'), '[]', true
    from generate_series(1, ${rows}) as n;
    insert into private.saved_replies (coach_id, name, content) select '${otherCoachId}', 'n', 'c' from generate_series(1, ${rows}) as n;
    insert into private.texts (file_id, title, content, digest) select ${
    asUuid("e")
  }, 't', 'c', 'd' from generate_series(1, ${rows}) as n;
    insert into private.file_changes (file_id, version, came, went, stayed, counts) select ${
    asUuid("e")
  }, 2, '[]', '[]', '[]', '{}' from generate_series(1, ${rows}) as n;
    insert into knowledge_sources (id, account_id, coach_id, url, kind, refresh, status, due_at)
    select ${asUuid("6")}, '${otherAccountId}', '${otherCoachId}', 'https://site-' || n || '.example/', 'site', 'daily',
      'ready', now() + (n - 20.5) * interval '1 minute'
    from generate_series(1, ${rows}) as n;
    insert into source_pages (source_id, url, file_id)
    select ${asUuid("6")}, 'https://site-' || n || '.example/', ${asUuid("e")} from generate_series(1, ${rows}) as n;
    set session_replication_role = replica;
    insert into pinned_answers (id, account_id, coach_id, question, answer, version, updated_at)
    select ${asUuid("8")}, '${accountId}', 'expert', 'Tide ' || n, 'Wait.', 2, now() - n * interval '1 minute'
    from generate_series(1, ${rows}) as n;
    insert into private.pinned_answer_versions
      (pinned_answer_id, version, question, variants, answer, is_active, written_at)
    select ${asUuid("8")}, version, 'Tide ' || n, '{}', 'Wait.', true, now()
    from generate_series(1, ${rows}) as n cross join generate_series(1, 2) as version;
    insert into private.pinned_answer_hits (pinned_answer_id) select ${
    asUuid("8")
  } from generate_series(1, ${rows}) as n;
    insert into private.phrases
      (coach_id, is_pinned, subject_id, is_active, content, key, polite_key, words, stop_words, due_at)
    select 'expert', true, ${asUuid("8")}, true, 'Tide ' || n, md5('key ' || n)::uuid, md5('polite ' || n)::uuid,
      '{tide}', '{}', now() + (n - 100.5) * interval '1 minute'
    from generate_series(1, ${rows}) as n;
    insert into private.phrase_words (coach_id, is_pinned, word, subject_id, phrase_id, weight)
    select 'expert', true, word, ${asUuid("8")}, n, 0.5
    from generate_series(1, ${rows}) as n cross join unnest(array['', 'tide', 'word ' || n]) as word;
    insert into private.barred_passages (coach_id, passage_id)
    select 'expert', md5(n::text) from generate_series(1, ${rows}) as n;
    insert into test_cases (id, account_id, coach_id, question)
    select ${asUuid("7")}, '${accountId}', 'expert', 'Tide ' || n || '?' from generate_series(1, ${rows}) as n;
    insert into private.test_runs (id, account_id, coach_id, has_judge, coach_version, status, ended_at)
    select ${asUuid("7")}, '${accountId}', 'expert', false, 1, 'done', now() from generate_series(1, ${rows}) as n;
    insert into coach_versions (coach_id, version, content, changes)
    select 'expert', n + 1, '{"name": "Ada", "is_active": true}', '{name}'
    from generate_series(1, ${rows}) as n;
    insert into private.test_results (run_id, test_id, due_at, verdict)
    select ${asUuid("7")}, ${asUuid("7")}, null, 'passed' from generate_series(1, ${rows}) as n;
    set session_replication_role = origin;
    insert into passages (file_id, coach_id, position, content, length, terms, frequencies, written_terms)
    select ${asUuid("e")}, '${otherCoachId}', 0, 'A report.', 3, '{1}', '{1}', 1 from generate_series(1, ${rows}) as n;
    insert into private.passage_terms (coach_id, lexeme, passages)
    select '${otherCoachId}', 'word ' || n, 1 from generate_series(1, ${rows}) as n;
    insert into private.postings (term_id, first_passage, passages, files, frequencies, lengths, best)
    select term.id, 1, '{1}', '{1}', '{1}', '{3}', 1
    from private.passage_terms as term where term.coach_id = '${otherCoachId}';
    insert into private.passage_totals (coach_id, passages) values ('${otherCoachId}', ${rows});
    insert into private.passage_removals (passage_id, coach_id, length, terms)
    select 1000000 + row_number() over (), term.coach_id, 0, array[term.id]
    from private.passage_terms as term where term.coach_id = '${otherCoachId}';
  `);
  await talk(postgres, tenant, tenant.longThread);
}

function describeCalls({ accountId, coachId, longThread, shortThread }: Tenant): Record<string, Call> {
  // As a request comes: admitted by the call that does its work.
  const caller = `'{"key_digest": "digest"}'`;
  const turn = (id: string, fields: string) => `'message_id', ${id}, 'run_id', ${id}, ${fields}`;
  const progress = "'status', 'streaming', 'content', ' and more', 'content_from', 6";
  const end = "'status', 'complete', 'content', 'Whole', 'input_tokens', 1";
  const saveOf = (count: number, fields: string) =>
    `select save_turns(jsonb_agg(jsonb_build_object(${
      turn(asUuid("c"), fields)
    }))) from generate_series(1, ${count}) as n`;
  const begin = (content: string, fields: string) => `
    select begin_turn(${caller}, 'u', jsonb_build_object('content', '${content}', 'title', 'Q', 'request_id', 'r',
      'run_id', gen_random_uuid(), 'idempotency_key', gen_random_uuid(), 'fingerprint', 'f', ${fields}))`;
  const newestOf = (role: string) =>
    `(select id from messages where thread_id = '${shortThread}' and role = '${role}' order by created_at desc limit 1)`;
  const conversations = (fields: string) => `
    select list_conversations(${caller}, jsonb_build_object('coach_id', '${coachId}', 'page_size', 50${fields}))`;
  return {
    "admit_request": { sql: `select admit_request(${caller})`, reads: 10 },
    "find_token_issuers": { sql: "select find_token_issuers('digest')", reads: 5 },
    "count_refusal": { sql: `select count_refusal('${uuid("d", 0)}')`, reads: 10 },
    "begin_turn in a new thread": { sql: begin("Hello", `'coach_id', '${coachId}'`), reads: 100 },
    "begin_turn in a long thread": { sql: begin("Hello", `'thread_id', '${longThread}'`), reads: 130 },
    "begin_turn with passages": {
      sql: begin("Which boats do rivers carry?", `'thread_id', '${longThread}'`),
      reads: 700,
    },
    "try_question": {
      sql: `select try_question(${caller}, '${coachId}', null, 'Which boats do rivers carry?', null)`,
      reads: 700,
    },
    "tell_typing": { sql: `select tell_typing(${caller}, null, '${longThread}')`, reads: 30 },
    "draft_reply": { sql: `select draft_reply(${caller}, null, '${longThread}')`, reads: 700 },
    "begin_turn, answered word for word": {
      sql: begin(
        "What does owl 7 eat?",
        `'coach_id', 'expert', 'asked', to_jsonb(${readInSql("'What does owl 7 eat?'")})`,
      ),
      reads: 150,
    },
    "begin_turn in the place of a question": {
      sql: begin("Hello", `'replaces', ${newestOf("user")}`),
      reads: 350,
    },
    "begin_turn for another run": {
      sql: `select begin_turn(${caller}, null, jsonb_build_object('run_id', gen_random_uuid(), 'request_id', 'r',
        'retried_id', ${newestOf("assistant")}))`,
      reads: 250,
    },
    "save_turns for progress": { sql: saveOf(1, progress), reads: 5 },
    "save_turns for an end": { sql: saveOf(1, end), reads: 15 },
    "save_turns for progress of 100": { sql: saveOf(100, progress), reads: 500 },
    "save_turns for 100 ends": { sql: saveOf(100, end), reads: 1_500 },
    "read_answers": {
      sql: `select read_answers(jsonb_build_array(jsonb_build_object(
        'account_id', '${accountId}', 'message_id', '${uuid("c", 1)}', 'after', 0)))`,
      reads: 5,
    },
    "watch_thread": {
      sql: `select watch_thread(${caller}, '${longThread}', 'u',
        (extract(epoch from now() - interval '1 minute') * 1000000)::bigint)`,
      reads: 50,
    },
    "watch_coach": { sql: `select watch_coach(${caller}, '${coachId}')`, reads: 30 },
    "read_events": {
      sql: `select read_events(jsonb_build_array(
          jsonb_build_object('account_id', '${accountId}', 'api_key_id', '${uuid("d", 0)}', 'user_id', 'u',
            'thread_id', '${longThread}'),
          jsonb_build_object('account_id', '${accountId}', 'api_key_id', '${uuid("d", 0)}', 'coach_id', '${coachId}')
        ), (extract(epoch from now() - interval '10 seconds') * 1000000)::bigint)`,
      reads: 60,
    },
    "record_event": {
      sql: `select private.record_event('thread.needs_expert', '${accountId}', '${coachId}', '${longThread}')`,
      reads: 5,
    },
    "take_webhook_messages": { sql: "select take_webhook_messages()", reads: 1_000 },
    "finish_webhook_messages": {
      sql: `select finish_webhook_messages(jsonb_build_array(jsonb_build_object(
        'id', '${uuid("a", 1)}', 'claim', '${uuid("b", 1)}', 'error', 'It answered 500', 'is_gone', false)))`,
      reads: 10,
    },
    "stop_turn": { sql: `select stop_turn(${caller}, null, '${uuid("c", 1)}', true)`, reads: 15 },
    "list_coaches, a page": { sql: `select list_coaches(${caller}, 50)`, reads: 80 },
    "list_coaches, a later page": {
      sql: `select list_coaches(${caller}, 50, 'Coach 100', '${uuid("a", 100)}')`,
      reads: 80,
    },
    "get_coach": { sql: `select get_coach(${caller}, '${coachId}')`, reads: 10 },
    "list_threads, a page": { sql: `select list_threads(${caller}, 'u', page_size => 50)`, reads: 120 },
    "list_threads, a later page": {
      sql: `select list_threads(${caller}, 'u', page_size => 50,
        after_at => (extract(epoch from now() - interval '90 minutes') * 1000000)::bigint, after_id => '${
        uuid("a", 1)
      }')`,
      reads: 120,
    },
    "list_threads with their state": {
      sql: `select list_threads(${caller}, 'u', is_archived => false, has_state => true, page_size => 50)`,
      reads: 250,
    },
    "search_threads": {
      sql: `select search_threads(${caller}, 'user 7', '{"search": "some boats"}')`,
      reads: 300,
    },
    "list_conversations": { sql: conversations(""), reads: 250 },
    "list_conversations, a later page of some days": {
      sql: conversations(`, 'from_time', now() - interval '3 years', 'before_time', now() - interval '10 minutes',
        'after_at', (extract(epoch from now() - interval '90 minutes') * 1000000)::bigint, 'after_id', '${
        uuid("a", 1)
      }'`),
      reads: 250,
    },
    "list_conversations, where somebody waits": {
      sql: conversations(", 'needs_reply', true"),
      reads: 250,
    },
    "list_conversations, where somebody was not content and waits": {
      sql: conversations(", 'has_down', true, 'needs_reply', true"),
      reads: 250,
    },
    "list_conversations, where somebody was not content": {
      sql: conversations(", 'has_down', true"),
      reads: 250,
    },
    "list_conversations, that are open": { sql: conversations(", 'is_closed', false"), reads: 250 },
    "list_conversations, that are closed": { sql: conversations(", 'is_closed', true"), reads: 250 },
    "update_conversation": {
      sql: `select update_conversation(${caller}, null, '${coachId}', '${
        uuid("a", 60)
      }', '{"note": "n", "is_closed": true}')`,
      reads: 150,
    },
    "read_coach_usage": {
      sql: `select read_coach_usage(${caller}, '${coachId}', current_date - 30, array(
        select generate_series(current_date - 30, current_date + 1, interval '1 day')))`,
      reads: 100,
    },
    "read_topics": {
      sql: `select read_topics(${caller}, '${coachId}', null, now() - interval '1 day', now())`,
      reads: 400,
    },
    "list_topic_threads": {
      sql: `select list_topic_threads(${caller}, '${coachId}', null, '${
        uuid("7", 1)
      }', now() - interval '30 days', now(), 20)`,
      reads: 200,
    },
    // Two hundred conversations with what was asked in them, and twenty of each topic.
    "take_topics": { sql: "select take_topics()", reads: 4_000 },
    "save_topics": { sql: `select save_topics('${coachId}', '${uuid("7", 1)}', '{}')`, reads: 50 },
    "keep_question": {
      sql: `select keep_question('${uuid("c", 1)}', '${uuid("c", 1)}', to_jsonb(${
        readInSql("'Which boats do rivers carry?'")
      }), true)`,
      reads: 100,
    },
    "keep_question, of one that many have asked": {
      sql: `select keep_question('${uuid("c", 2)}', '${uuid("c", 2)}', to_jsonb(${readInSql("'Who rows?'")}), false)`,
      reads: 100,
    },
    "take_question": { sql: "select take_question()", reads: 60 },
    "find_near_questions": {
      sql: `select find_near_questions('${uuid("9", 0)}', '${uuid("9", 0)}', $$ {"model": "m", "vector": [${
        Array(1536).fill(0.1)
      }]} $$)`,
      reads: 400,
    },
    "list_questions, a page": { sql: `select list_questions(${caller}, '${coachId}', page_size => 50)`, reads: 250 },
    "list_questions, a later page": {
      sql: `select list_questions(${caller}, '${coachId}', page_size => 50, after_people => 3, after_asked => 3,
        after_id => '${uuid("9", 500)}')`,
      reads: 250,
    },
    "list_questions, of a topic": {
      sql: `select list_questions(${caller}, '${coachId}', page_size => 50, topic_id => '${uuid("7", 1)}')`,
      reads: 400,
    },
    "decide_question": {
      sql: `select decide_question(${caller}, '${coachId}', null, '${uuid("9", 1)}', 'dismissed')`,
      reads: 30,
    },
    "answer_question": {
      sql: `select answer_question(${caller}, '${coachId}', null, '${uuid("9", 0)}', 'The crew.', notify => false)`,
      reads: 250,
    },
    "send_answer": {
      sql: `select send_answer(${caller}, '${coachId}', null, '${uuid("9", 1)}', '{}', 'r')`,
      reads: 100,
    },
    "rate_answer, a thumbs-down": {
      sql: `select rate_answer(${caller}, null, '${shortThread}', (
        select id from messages where thread_id = '${shortThread}' and role = 'assistant' order by created_at desc limit 1
      ), 'down', null)`,
      reads: 150,
    },
    "a part of the threads that are not kept": { sql: `select private.erase_part('${accountId}', 2)`, reads: 3_000 },
    "index_threads": { sql: "select index_threads()", reads: 3_000 },
    "read_thread": { sql: `select read_thread(${caller}, '${longThread}', 'u')`, reads: 15 },
    "update_thread": { sql: `select update_thread(${caller}, '${longThread}', 'u', 'A title', true)`, reads: 20 },
    "mark_read": { sql: `select mark_read(${caller}, '${longThread}', 'u')`, reads: 25 },
    "delete_thread": { sql: `select delete_thread(${caller}, '${shortThread}', 'u')`, reads: 80 },
    "list_messages": { sql: `select list_messages(${caller}, '${shortThread}')`, reads: 80 },
    "list_messages, a page of a long thread": {
      sql: `select list_messages(${caller}, '${longThread}', page_size => 50)`,
      reads: 70,
    },
    "list_messages, a later page of a long thread": {
      sql: `select list_messages(${caller}, '${longThread}', page_size => 50,
        after_at => (extract(epoch from now() - interval '1 day') * 1000000)::bigint + 250000, after_sequence => 0)`,
      reads: 70,
    },
    "list_messages, the newest page of a long thread, with all there is": {
      sql: `select list_messages(${caller}, '${longThread}', page_size => 50, is_newest_first => true,
        include => '{status,sources,feedback,author,basis}')`,
      reads: 170,
    },
    "list_messages, an earlier page of a long thread": {
      sql: `select list_messages(${caller}, '${longThread}', page_size => 50, is_newest_first => true,
        after_at => (extract(epoch from now() - interval '1 day') * 1000000)::bigint + 250000, after_sequence => 0)`,
      reads: 70,
    },
    "rate_answer": {
      sql: `select rate_answer(${caller}, null, '${shortThread}', '${uuid("c", 0)}', 'down', 'No')`,
      reads: 20,
    },
    "take_over": { sql: `select take_over(${caller}, null, '${longThread}')`, reads: 60 },
    "say_as_expert": {
      sql: `select say_as_expert(${caller}, null, '${longThread}', 'Here I am', 'r', gen_random_uuid()::text, 'f')`,
      reads: 150,
    },
    "revise_answer": {
      sql: `select revise_answer(${caller}, null, jsonb_build_object('thread_id', '${shortThread}',
        'message_id', '${uuid("c", 0)}', 'answer', 'No.', 'question', to_jsonb(${
        readInSql("'Are boats fast?'")
      }), 'notify', true,
        'bar_passages', '[]'::jsonb, 'request_id', 'r', 'idempotency_key', gen_random_uuid(), 'fingerprint', 'f'))`,
      reads: 200,
    },
    "release_thread": { sql: `select release_thread(${caller}, null, '${longThread}')`, reads: 30 },
    "find_near_phrases": {
      sql: `select private.find_near_phrases('expert', true, ${readInSql("'Do owls eat at high tide?'")}, null)`,
      reads: 2_300,
    },
    "find_near_phrases, of a frequent word": {
      sql: `select private.find_near_phrases('expert', true, ${readInSql("'What about the tide?'")}, null)`,
      reads: 2_500,
    },
    "try_question, the same question": {
      sql: `select try_question(${caller}, 'expert', null, 'What does owl 7 eat?', null,
        asked => to_jsonb(${readInSql("'What does owl 7 eat?'")}))`,
      reads: 25,
    },
    "fold_ledger": {
      sql: `with one as (
          insert into private.ledger (account_id, coach_id, user_id, turns, near)
          values ('${accountId}', '${coachId}', 'u', 1, '{${uuid("8", 1)}}')
        ) select private.fold_ledger()`,
      reads: 15,
    },
    "find_near_phrases of a coach without any": {
      sql: `select private.find_near_phrases('${coachId}', true, ${readInSql("'Do owls eat?'")}, null)`,
      reads: 5,
    },
    "create_pinned_answer": {
      sql: `select create_pinned_answer(${caller}, null, 'expert', jsonb_build_array(${
        readInSql("'Why, ' || id || '?'")
      }), 'So.', true) from gen_random_uuid() as id`,
      reads: 60,
    },
    "compare_pinned_answers": {
      sql:
        `select compare_pinned_answers(${caller}, null, 'expert', 'english', jsonb_build_array(jsonb_build_array(md5('where was it?'), md5('and where?'))))`,
      reads: 80,
    },
    "import_pinned_answers": {
      sql:
        `select import_pinned_answers(${caller}, null, 'expert', jsonb_build_array(jsonb_build_object('question', 'Where, ' || id || '?', 'answer', 'There.', 'asked', jsonb_build_array(${
          readInSql("'Where, ' || id || '?'")
        })))) from gen_random_uuid() as id`,
      reads: 80,
    },
    "update_pinned_answer": {
      sql: `select update_pinned_answer(${caller}, null, 'expert', '${uuid("8", 5)}', to_jsonb(${
        readInSql("'Which ' || id")
      }), '[]') from gen_random_uuid() as id`,
      reads: 90,
    },
    "get_pinned_answer": {
      sql: `select get_pinned_answer(${caller}, null, 'expert', '${uuid("8", 5)}')`,
      reads: 20,
    },
    "delete_pinned_answer": {
      sql: `select delete_pinned_answer(${caller}, null, 'expert', '${uuid("8", 6)}')`,
      reads: 40,
    },
    // Each has four rows of hits.
    "list_pinned_answers, a page": {
      sql: `select list_pinned_answers(${caller}, null, 'expert', page_size => 50)`,
      reads: 280,
    },
    "list_pinned_answers, a later page of a search": {
      sql: `select list_pinned_answers(${caller}, null, 'expert', 'tide', true, 50,
        (extract(epoch from now() - interval '30 minutes') * 1000000)::bigint, '${uuid("8", 1)}')`,
      reads: 280,
    },
    "list_barred_passages, a page": {
      sql: `select list_barred_passages(${caller}, null, 'expert', 50)`,
      reads: 80,
    },
    "list_versions, a page": { sql: `select list_versions(${caller}, null, 'expert', 50)`, reads: 80 },
    "get_version": { sql: `select get_version(${caller}, null, 'expert', 1, 'u')`, reads: 20 },
    "get_draft": { sql: `select get_draft(${caller}, null, 'expert', 'u')`, reads: 20 },
    "save_draft": { sql: `select save_draft(${caller}, null, 'expert', '{"title": "Teacher"}', 'u')`, reads: 30 },
    "list_tests, a page": { sql: `select list_tests(${caller}, null, 'expert', page_size => 50)`, reads: 180 },
    "list_test_runs, a page": { sql: `select list_test_runs(${caller}, null, 'expert', 50)`, reads: 130 },
    "get_test_run": {
      sql: `select get_test_run(${caller}, null, 'expert', '${uuid("7", 1)}', false)`,
      reads: 30,
    },
    "find_due_run": { sql: "select private.find_due_run()", reads: 20 },
    "find_compared_run": {
      sql: `select private.find_compared_run('${uuid("7", 1)}', '${uuid("7", 1)}')`,
      reads: 20,
    },
    "keep_tests": { sql: `select keep_tests(array['${uuid("7", 1)}']::uuid[])`, reads: 5 },
    "end_test": {
      sql: `select end_test('expert', '${uuid("7", 1)}', '{}', '[]')`,
      reads: 5,
    },
    "set_passage_barred": {
      sql: `select set_passage_barred(${caller}, null, '${coachId}', md5('Rivers carry boats.'), true)`,
      reads: 50,
    },
    "get_knowledge_file": {
      sql: `select get_knowledge_file(${caller}, '${coachId}', '${uuid("f", 1)}', true)`,
      reads: 50,
    },
    "get_passage": {
      sql: `select get_passage(${caller}, '${coachId}', '${uuid("f", 1)}', md5('Rivers carry boats.'), 2, 2)`,
      reads: 100,
    },
    "find_original": { sql: `select find_original('${uuid("f", 1)}')`, reads: 20 },
    "list_sources, a page": { sql: `select list_sources(${caller}, '${coachId}', 50)`, reads: 550 },
    "get_source": { sql: `select get_source(${caller}, '${coachId}', '${uuid("6", 0)}')`, reads: 1_100 },
    "take_fetching": { sql: "select take_fetching(true)", reads: 1_200 },
    "begin_page": {
      sql: `select begin_page('${uuid("6", 0)}', 'https://tides.example/1', '${
        uuid("6", 1)
      }', 'Tides.md', repeat('a', 64))`,
      reads: 40,
    },
    "save_page": {
      sql: `select save_page('${uuid("6", 0)}', 'https://tides.example/1', '${
        uuid("6", 1)
      }', '{"kind": "unchanged"}', 0)`,
      reads: 100,
    },
    "search_knowledge": { sql: `select search_knowledge(${caller}, '${coachId}', 'boats guide')`, reads: 700 },
    "search_knowledge without a search": { sql: `select search_knowledge(${caller}, '${coachId}')`, reads: 100 },
    "search_passages": { sql: `select search_passages('${coachId}', 'Which boats?')`, reads: 700 },
    // Both passages of a file, with what is near.
    "take_comparison": { sql: "select take_comparison()", reads: 1_500 },
    "list_contradictions": { sql: `select list_contradictions(${caller}, '${coachId}', 50)`, reads: 20 },
    "list_file_quotes": {
      sql: `select list_file_quotes(${caller}, null, '${coachId}', '${uuid("f", 1)}')`,
      reads: 200,
    },
    "search_knowledge with quotes": {
      sql: `select search_knowledge(${caller}, '${coachId}', with_quotes => true)`,
      reads: 200,
    },
    "list_replies": { sql: `select list_replies(${caller}, null, '${coachId}', 50)`, reads: 80 },
    "update_file": {
      sql: `select update_file(${caller}, '${coachId}', null, '${
        uuid("f", 1)
      }', '{"filename": "New.md", "valid_from": "2020-01-01"}', 'text/plain')`,
      reads: 50,
    },
    "delete_knowledge_file": {
      sql: `select delete_knowledge_file(${caller}, '${coachId}', null, id) from knowledge_files
        where coach_id = '${coachId}' order by uploaded_at limit 1`,
      reads: 100,
    },
    "list_file_changes": { sql: `select list_file_changes(${caller}, '${coachId}', '${uuid("f", 1)}')`, reads: 30 },
    "get_text": { sql: `select get_text(${caller}, '${coachId}', '${uuid("f", 1)}')`, reads: 20 },
    "save_expert_face": { sql: `select save_expert_face(${caller}, null, '${coachId}', 'u')`, reads: 20 },
    "list_answerable": {
      sql: `select private.list_answerable(coach, '${
        uuid("f", 1)
      }') from coach_profiles as coach where id = '${coachId}'`,
      reads: 200,
    },
    "save_phrases": { sql: `select save_phrases('[]', true)`, reads: 600 },
    "save_comparison": {
      sql: `select save_comparison('${uuid("f", 1)}', '${uuid("7", 1)}', '[]', 0, null, false)`,
      reads: 600,
    },
    "postpone_comparison": { sql: `select postpone_comparison('${uuid("f", 1)}', '${uuid("7", 1)}')`, reads: 10 },
    "take_place": { sql: `select private.take_place('${uuid("f", 1)}')`, reads: 10 },
    "forget_versions": { sql: `select private.forget_versions()`, reads: 10 },
    "list_known_statements": { sql: `select private.list_known_statements('${uuid("f", 1)}')`, reads: 10 },
    "make_topic_mails": { sql: `select private.make_topic_mails()`, reads: 10 },
    "meet_person": {
      sql: `select private.meet_person(thread, '{"name": "x"}') from threads as thread where id = '${shortThread}'`,
      reads: 600,
    },
    "unindex_passages": { sql: "select unindex_passages()", reads: 3_000 },
    "find_api_key": { sql: "select find_api_key('digest')", reads: 5 },
    "get_standing": { sql: `select get_standing(${caller}, 'u')`, reads: 20 },
    "delete_turn": { sql: `select delete_turn(${caller}, 'u', ${newestOf("assistant")})`, reads: 350 },
    "take_test": { sql: "select take_test()", reads: 10 },
    "take_waiting_turn": { sql: "select take_waiting_turn(gen_random_uuid())", reads: 100 },
    "read_status of health": { sql: "select read_status(has_details => false)", reads: 20 },
    // Up to a thousand rows of what is kept for a time are deleted in each call.
    "take_indexing_work": { sql: "select take_indexing_work()", reads: 1_500 },
  };
}

/** The uuid of a number, among those that begin with a hexadecimal digit. */
function uuid(digit: string, number: number): string {
  return `${digit}0000000-0000-4000-8000-${number.toString(16).padStart(12, "0")}`;
}

/** {@link uuid} in SQL. */
function asUuid(digit: string, number = "n"): string {
  return `('${digit}0000000-0000-4000-8000-' || lpad(to_hex((${number})::integer), 12, '0'))::uuid`;
}
