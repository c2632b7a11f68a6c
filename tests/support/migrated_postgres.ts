import { PGlite } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { vector } from "@electric-sql/pglite/vector";
import { join } from "deno-std/path/mod.js";

/** What the migrations find in every Supabase project. */
const project = `
  create role anon;
  create role authenticated;
  create role service_role bypassrls;
  create schema auth;
  create table auth.users (id uuid primary key);
  create schema storage;
  create table storage.buckets (id text primary key, name text not null, public boolean, file_size_limit bigint);
`;

/** A Postgres in this process with all migrations, for what cannot be seen over REST. */
export async function createMigratedPostgres(): Promise<PGlite> {
  const postgres = await PGlite.create({ extensions: { pg_trgm, vector } });
  // Its initdb leaves its own exit code on the process.
  Deno.exitCode = 0;
  await postgres.exec(project);
  const folder = join(import.meta.dirname!, "../../supabase/migrations");
  const files = [...Deno.readDirSync(folder)].map(({ name }) => name).toSorted();
  for (const file of files) await postgres.exec(await Deno.readTextFile(join(folder, file)));
  return postgres;
}

/** Adds an account with one coach. */
export async function insertCoach(postgres: PGlite): Promise<{ accountId: string; coachId: string }> {
  const value = askForValue(postgres);
  const accountId = await value("insert into accounts (name) values ('Test') returning id");
  const coachId = await value(
    "insert into coach_profiles (account_id, name, title, instructions) values ($1, 'Ada', 'Coach', 'Teach.') returning id",
    [accountId],
  );
  return { accountId, coachId };
}

/** Asks for a single value: the first column of the first row. */
export function askForValue(postgres: PGlite) {
  // deno-lint-ignore no-explicit-any
  return async (sql: string, parameters: unknown[] = []): Promise<any> =>
    Object.values((await postgres.query<Record<string, unknown>>(sql, parameters)).rows[0] ?? {})[0];
}
