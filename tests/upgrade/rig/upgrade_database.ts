import { join } from "node:path";
import pg from "pg";
import { projectRoot } from "../../../supabase/platform/state.ts";
import { createProjectDatabase } from "../../support/project_database.ts";
import { createSupabaseCli } from "../../support/supabase_cli.ts";
import { projectOwner } from "../../support/supabase_project.ts";
import type { Query } from "../snapshot/dump_rows.ts";
import { readRowsOfToday, type Release } from "./releases.ts";

/** A project's database in the state of a release, which the Supabase CLI can push migrations to. */
export type UpgradeDatabase = AsyncDisposable & {
  url: string;
  /** The number of connections that may be used at the same time, beside that of the CLI. */
  connections: number;
  query: Query;
  /** Adds a migration to those that the next push finds. */
  write(file: string, sql: string): Promise<void>;
  /** Adds the migrations of this checkout that the release does not have, and the one that stands for a next release. */
  writeNext(): Promise<string[]>;
  /** Takes a migration away again. */
  remove(file: string): Promise<void>;
  /** Pushes the pending migrations as `npm run deploy` does. Returns the error, or null. */
  push(): Promise<string | null>;
  /** The versions in the history, in order. */
  history(): Promise<string[]>;
};

const migrationsFolder = join(projectRoot, "supabase/migrations");
const nextFolder = join(projectRoot, "tests/upgrade/next");

/** Creates it: the migrations of the release are pushed by the CLI, then the rows of its snapshot are loaded. */
export async function createUpgradeDatabase(release: Release): Promise<UpgradeDatabase> {
  await using resources = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir({ prefix: "upgrade-migrations-" });
  resources.defer(() => Deno.remove(folder, { recursive: true }));
  const database = resources.use(await createProjectDatabase());
  const cli = resources.use(await createSupabaseCli(folder));
  const pool = new pg.Pool({ connectionString: database.url, max: 1, idleTimeoutMillis: 0 });
  resources.defer(() => pool.end());
  const query: Query = async (sql) => [await pool.query(sql)].flat().at(-1)!.rows;
  const copy = (from: string, file: string) => Deno.copyFile(join(from, file), join(folder, file));
  const push = async () => {
    const { code, stdout, stderr } = await cli.run(database.url, "db", "push", "--yes");
    return code === 0 ? null : `${stdout}\n${stderr}`;
  };

  for (const file of Object.keys(release.migrations)) await copy(migrationsFolder, file);
  const failure = await push();
  if (failure !== null) throw new Error(failure);
  const [{ owner }] = await query("select current_user as owner") as [{ owner: string }];
  // Only a superuser may load rows without the triggers that have made them.
  const isOwner = owner === projectOwner;
  if (isOwner) await query("set session authorization postgres");
  await query(await readRowsOfToday(release));
  if (isOwner) await query(`set session authorization ${owner}; set search_path = "$user", public, extensions`);
  const owned = resources.move();
  return {
    url: database.url,
    // The embedded Postgres has one session, which all clients share.
    connections: Deno.env.get("DATABASE_URL") ? 10 : 1,
    query,
    write: (file, sql) => Deno.writeTextFile(join(folder, file), sql),
    async writeNext() {
      const added = [...Deno.readDirSync(migrationsFolder)].map(({ name }) => name)
        .filter((file) => !(file in release.migrations)).toSorted();
      for (const file of added) await copy(migrationsFolder, file);
      const next = [...Deno.readDirSync(nextFolder)].map(({ name }) => name).toSorted();
      for (const file of next) await copy(nextFolder, file);
      return [...added, ...next];
    },
    remove: (file) => Deno.remove(join(folder, file)),
    push,
    history: async () =>
      (await query("select version from supabase_migrations.schema_migrations order by version"))
        .map(({ version }) => version as string),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The SQL of all migrations that come after a release, in order. */
export async function readNextSql({ migrations }: Release): Promise<string> {
  const files = [migrationsFolder, nextFolder].flatMap((folder) =>
    [...Deno.readDirSync(folder)].map(({ name }) => name).filter((file) => !(file in migrations)).toSorted()
      .map((file) => join(folder, file))
  );
  return (await Promise.all(files.map((file) => Deno.readTextFile(file)))).join("\n");
}
