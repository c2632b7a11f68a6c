/**
 * Makes the snapshot of a release in `tests/upgrade/<version>`, in place of one that is there: `release.json` with its
 * migrations and the names of some rows, `schema.txt`, and `rows.sql`. `npm run release` calls it. The rows are made by
 * the functions of this checkout on a Supabase of their own; nothing in a snapshot is edited by hand.
 */
import { PGlite } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { vector } from "@electric-sql/pglite/vector";
import { join } from "node:path";
import { writeOldLock } from "../../../supabase/commands/deploy/lock_functions.ts";
import { readMigrationFiles } from "../../../supabase/platform/data_folder.ts";
import { projectRoot } from "../../../supabase/platform/state.ts";
import { startBackendOn } from "../../support/backend.ts";
import { startFunctionsPool } from "../../support/functions_pool.ts";
import { describeSchema } from "./describe_schema.ts";
import { dumpRows, type Query } from "./dump_rows.ts";
import { Names } from "./names.ts";

const [version = ""] = Deno.args;
const folder = await Deno.makeTempDir({ prefix: "snapshot-" });
const lock = join(folder, "deno.lock");
await Deno.writeTextFile(lock, writeOldLock(await Deno.readTextFile(join(projectRoot, "deno.lock"))));
const data = join(folder, "data");
await Deno.mkdir(data);
const backend = await startBackendOn(data);
const pool = startFunctionsPool({ lock });
for (const [name, value] of Object.entries({ ...backend.env, TEST_FUNCTIONS_POOL: pool.url })) {
  Deno.env.set(name, value);
}
// Imported only now: its modules read these variables when they are loaded.
const { fillDatabase } = await import("./fill_database.ts");
const names = await fillDatabase();
await pool[Symbol.asyncDispose]();
await backend.stop();

const postgres = await PGlite.create(join(data, "postgres"), { extensions: { vector, pg_trgm } });
await postgres.exec("set timezone to 'UTC'; set search_path to pg_catalog");
const query: Query = async (sql) => (await postgres.query<Record<string, unknown>>(sql)).rows;
const { sql, empty } = await dumpRows(query);
const schema = await describeSchema(query);
const [{ major }] = await query("select current_setting('server_version_num')::int / 10000 as major") as [
  { major: number },
];
await postgres.close();

const target = join(projectRoot, "tests/upgrade", version);
await Deno.remove(target, { recursive: true }).catch(() => {});
await Deno.mkdir(target, { recursive: true });
const release = {
  version,
  /** The day to which the times in the rows refer. */
  made_on: new Date().toISOString().slice(0, 10),
  /** The major version of the Postgres of npm start: data folders of another one cannot be opened. */
  postgres: major,
  migrations: Object.fromEntries(await readMigrationFiles(join(projectRoot, "supabase/migrations"))),
  /** The tables without a row. */
  empty,
  names: Names.parse(names),
};
const head = `-- The rows of a small database of release ${version}, made by npm run release. Not to be edited.
-- To load it into a database with the migrations of that release, as a superuser: psql --file rows.sql
begin;
set local session_replication_role to replica;`;
await Deno.writeTextFile(join(target, "release.json"), `${JSON.stringify(release, null, 2)}\n`);
await Deno.writeTextFile(join(target, "schema.txt"), `${schema.join("\n")}\n`);
await Deno.writeTextFile(join(target, "rows.sql"), `${head}\n\n${sql}\n\ncommit;\n`);
await Deno.remove(folder, { recursive: true });
console.log(
  `tests/upgrade/${version}: ${(sql.length / 1_000).toFixed(0)} kB of rows; without rows: ${
    empty.join(", ") || "no table"
  }`,
);
// What the database was filled with is still waiting for it.
Deno.exit(0);
