import { assertEquals } from "../support/assert.ts";
import { createMigratedPostgres } from "../support/migrated_postgres.ts";

const page = await Deno.readTextFile(new URL("../../supabase/docs/browsers.md", import.meta.url));
const [, cleanUp = ""] = /```sql\n(begin;[^`]*commit;)\n```/.exec(page) ?? [];

Deno.test("the statements that clean up anonymous users", async () => {
  await using postgres = await createMigratedPostgres();
  await postgres.exec(`
    alter table auth.users add is_anonymous boolean not null default false;
    create table auth.sessions (
      user_id uuid not null references auth.users (id) on delete cascade,
      refreshed_at timestamp,
      created_at timestamptz not null default now()
    );
    insert into public.accounts (name) values ('One'), ('Two');
    insert into public.coach_profiles (id, account_id, name, title, instructions)
    select name, id, 'Ada', 'Coach', 'Teach.' from public.accounts;
  `);
  /** Days since the user was made and since each session began or was renewed. */
  const users: Record<string, { isAnonymous: boolean; age: number; sessions: { began: number; renewed?: number }[] }> =
    {
      "idle": { isAnonymous: true, age: 40, sessions: [{ began: 40 }, { began: 35, renewed: 31 }] },
      "idle without a session": { isAnonymous: true, age: 31, sessions: [] },
      "new": { isAnonymous: true, age: 29, sessions: [] },
      "back": { isAnonymous: true, age: 90, sessions: [{ began: 90, renewed: 29 }] },
      "idle but permanent": { isAnonymous: false, age: 90, sessions: [{ began: 90 }] },
    };
  for (const [name, { isAnonymous, age, sessions }] of Object.entries(users)) {
    const { rows: [user] } = await postgres.query<{ id: string }>(
      `insert into auth.users (id, email, is_anonymous, created_at)
       values (gen_random_uuid(), $1, $2, now() - make_interval(days => $3)) returning id`,
      [name, isAnonymous, age],
    );
    for (const { began, renewed = null } of sessions) {
      await postgres.query(
        `insert into auth.sessions (user_id, created_at, refreshed_at) values ($1, now() - make_interval(days => $2),
         (now() - make_interval(days => $3)) at time zone 'utc')`,
        [user!.id, began, renewed],
      );
    }
    await postgres.query(`insert into public.threads (coach_id, user_id) values ('One', $1), ('Two', $1)`, [user!.id]);
  }

  await postgres.exec(cleanUp);
  const { rows } = await postgres.query<{ email: string; threads: number }>(
    `select email, (select count(*)::int from public.threads where user_id = users.id::text) as threads
     from auth.users order by email`,
  );
  const kept = ["back", "idle but permanent", "new"].map((email) => ({ email, threads: 2 }));
  assertEquals(rows, kept);
  const { rows: threads } = await postgres.query("select from public.threads");
  assertEquals(threads.length, 6);
});
