import type { Environment } from "./environment.ts";
import type { ZipfText } from "./zipf_text.ts";

const filesPerCoach = 100;
const wordsPerPassage = 60;

/** Adds threads of a user, each with messages. */
export async function addThreads(
  { accountId, native }: Environment,
  { coachId, user, count, messages }: { coachId: string; user: string; count: number; messages: number },
): Promise<void> {
  // Without triggers and checks of references, which would take most of the time.
  await native!.query(`
    begin;
    set local session_replication_role = replica;
    with added as (
      insert into threads (account_id, coach_id, user_id, created_at, updated_at)
      select '${accountId}', '${coachId}', '${user}', now() - interval '1 day', now() - n * interval '1 second'
      from generate_series(1, ${count}) as n returning id
    )
    insert into messages (thread_id, role, content, created_at)
    select added.id, case when n % 2 = 1 then 'user' else 'assistant' end, repeat('What was said before. ', 10),
      now() - interval '1 hour' + n * interval '1 second'
    from added, generate_series(1, ${messages}) as n;
    commit
  `);
}

/** The ids of the threads of a user. */
export async function listThreadIds({ native }: Environment, user: string): Promise<string[]> {
  const rows = await native!.query<{ id: string }>("select id from threads where user_id = $1", [user]);
  return rows.map(({ id }) => id);
}

/** Adds messages to the end of a thread. */
export async function addMessages({ native }: Environment, threadId: string, count: number): Promise<void> {
  await native!.query(
    `insert into messages (thread_id, role, content, created_at)
     select $1, case when n % 2 = 1 then 'user' else 'assistant' end, repeat('What was said before. ', 10),
       clock_timestamp() + n * interval '1 microsecond'
     from generate_series(1, $2::integer) as n`,
    [threadId, count],
  );
}

/** Adds a coach with 100 files of one passage each, and returns its id. */
export async function addCoach({ accountId, createCoach, native }: Environment, text: ZipfText): Promise<string> {
  const id = await createCoach("chunks=1");
  await native!.query(
    `insert into knowledge_files
       (account_id, coach_id, name, size, content_type, category, digest, storage_path, status, due_at)
     select $1, $2, 'file ' || n || '.txt', 1000, 'text/plain', 'documents',
       encode(sha256(convert_to($2 || n, 'UTF8')), 'hex'), $2 || '/' || n, 'ready', null
     from generate_series(1, $3::integer) as n`,
    [accountId, id, filesPerCoach],
  );
  const passages = Array.from({ length: filesPerCoach }, () => [{ content: text.passage(wordsPerPassage) }]);
  await native!.query(
    `select store_passages(file.id, 0, $2::jsonb -> (row_number() over () - 1)::integer)
     from knowledge_files as file where file.coach_id = $1`,
    [id, JSON.stringify(passages)],
  );
  return id;
}
