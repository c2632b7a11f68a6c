import { type Extension, PGlite, type PGliteOptions } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { vector } from "@electric-sql/pglite/vector";
import { join } from "node:path";
import { madeFrom } from "./made_once.ts";
import { reusePostgres } from "./reused_postgres.ts";
import { type DefaultGrants, describeProject, projectOwner } from "./supabase_project.ts";

/** What the databases of the tests are made from. */
export const databaseSources = [
  "deno.lock",
  "supabase/platform",
  "supabase/migrations",
  "supabase/seed.sql",
  "tests/support/migrated_postgres.ts",
  "tests/support/supabase_project.ts",
];

/** Differences of an embedded Postgres from the usual one of the tests. */
export type ProjectOptions = {
  defaultGrants?: DefaultGrants;
  /** Extensions in addition to those of the migrations; created in the schema `extensions`. */
  extensions?: Record<string, Extension>;
};

/** SQL of a question as the service reads it, near enough: any text has words and a key. */
export function readInSql(text: string): string {
  const words = `string_to_array(lower(rtrim(${text}, '?')), ' ')`;
  return `row(${text}, 'english', md5(lower(${text}))::uuid, md5(lower(${text}))::uuid, ${words}, ${words}, false)::private.normal_question`;
}

/** A Postgres in this process with what every Supabase project has, but without the migrations. */
export async function createProjectPostgres({ defaultGrants, extensions }: ProjectOptions = {}): Promise<PGlite> {
  const isUsual = defaultGrants === undefined && extensions === undefined;
  return isUsual ? await copyOf("project", createProject) : await createProject({ defaultGrants, extensions });
}

async function createProject({ defaultGrants, extensions = {} }: ProjectOptions = {}): Promise<PGlite> {
  const postgres = await startPostgres({ extensions: { pg_trgm, vector, ...extensions } });
  await postgres.exec(describeProject({ hasOwner: true, defaultGrants }));
  for (const name of Object.keys(extensions)) await postgres.exec(`create extension ${name} with schema extensions`);
  return postgres;
}

async function startPostgres(options: PGliteOptions): Promise<PGlite> {
  const postgres = await PGlite.create(options);
  // PGlite's initdb sets the exit code of this process; undo that.
  Deno.exitCode = 0;
  return postgres;
}

/** A copy of a snapshot that the first test makes: initdb alone takes longer than reading a snapshot. */
async function copyOf(name: string, make: () => Promise<PGlite>): Promise<PGlite> {
  const snapshot = await madeFrom(databaseSources, `${name}-postgres`, async (path) => {
    await using postgres = await make();
    await Deno.writeFile(path, (await postgres.dumpDataDir("none")).stream());
  });
  const loadDataDir = new Blob([await Deno.readFile(snapshot)]);
  return await startPostgres({ extensions: { pg_trgm, vector }, loadDataDir });
}

/** Runs all further statements as the project's owner, who is not a superuser. */
export async function becomeProjectOwner(postgres: PGlite): Promise<void> {
  await postgres.exec(`set session authorization ${projectOwner}; set search_path = "$user", public, extensions`);
}

/** All migrations of the project, or of a copy of it, in order, with their SQL. */
export function readMigrations(root = join(import.meta.dirname!, "../..")): Promise<{ file: string; sql: string }[]> {
  const folder = join(root, "supabase/migrations");
  const files = [...Deno.readDirSync(folder)].map(({ name }) => name).toSorted();
  return Promise.all(files.map(async (file) => ({ file, sql: await Deno.readTextFile(join(folder, file)) })));
}

/** Applies all migrations. */
export async function migrate(postgres: PGlite): Promise<void> {
  for (const { sql } of await readMigrations()) await postgres.exec(sql);
}

/**
 * A Postgres in this process with all migrations, for tests of what REST does not show. When it is closed, a later test
 * of the process may get the same one, as new.
 */
export const createMigratedPostgres = reusePostgres(() =>
  copyOf("migrated", async () => {
    const postgres = await createProjectPostgres();
    await migrate(postgres);
    return postgres;
  })
);

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

/** Indexes the messages of all idle threads, in as many batches as that takes. @throws {Error} after a hundred. */
export async function indexThreads(postgres: PGlite): Promise<void> {
  for (let batch = 0; batch < 100; batch++) {
    if (!await askForValue(postgres)("select to_json(index_threads())")) return;
  }
  throw new Error("A hundred batches have not indexed all threads");
}

/** Calls `begin_turn` with defaults: a question of the user "u" with the key alone; arguments replace any of them. */
export function beginTurn(
  postgres: PGlite,
  { account_id, api_key_id, user_id = "u", ...turn }: Record<string, unknown>,
) {
  const usual = { content: "Q", title: "Q", request_id: "r", run_id: crypto.randomUUID() };
  return askForValue(postgres)("select begin_turn($1, $2, $3)", [
    { account_id, api_key_id },
    user_id,
    { ...usual, ...turn },
  ]);
}

/** Queries a single value: the first column of the first row. */
export function askForValue(postgres: PGlite) {
  // deno-lint-ignore no-explicit-any
  return async (sql: string, parameters: unknown[] = []): Promise<any> =>
    Object.values((await postgres.query<Record<string, unknown>>(sql, parameters)).rows[0] ?? {})[0];
}
