import { join } from "node:path";
import { CommandError } from "../command_error.ts";
import { projectRoot } from "../../platform/state.ts";
import type { Query } from "./open_database.ts";

/** A table, its stored columns and its sequences. All names are quoted and have their schema. */
export type Table = { name: string; columns: string[]; sequences: string[] };

/** The tables of Auth that say who people are and who is signed in, each after those that it refers to. */
const authTables = [
  "auth.users",
  "auth.identities",
  "auth.mfa_factors",
  "auth.oauth_clients",
  "auth.oauth_consents",
  "auth.sessions",
  "auth.mfa_amr_claims",
  "auth.refresh_tokens",
];

/** The versions of the migrations that a database has, in order. @throws {CommandError} if it is not of this service. */
export async function readMigrations(query: Query): Promise<string[]> {
  const [{ name }] = await query("select to_regclass('supabase_migrations.schema_migrations') as name") as [
    { name: string | null },
  ];
  if (name === null) {
    throw new CommandError("This database has no migrations: deploy the service first, with npm run deploy.");
  }
  const rows = await query<{ version: string }>(
    "select version from supabase_migrations.schema_migrations order by version",
  );
  return rows.map(({ version }) => version);
}

/** The migrations in a folder of the project: their versions, and the tables that they create. */
export async function readMigrationFiles(root = projectRoot): Promise<{ versions: string[]; tables: string[] }> {
  const folder = join(root, "supabase/migrations");
  const files = [...Deno.readDirSync(folder)].map(({ name }) => name).toSorted();
  const texts = await Promise.all(files.map((file) => Deno.readTextFile(join(folder, file))));
  return {
    versions: files.map((file) => file.split("_")[0]!),
    tables: texts.flatMap((sql) =>
      Array.from(sql.matchAll(/^create (?:unlogged )?table (\w+\.\w+)/gm), ([, name]) => name!)
    ),
  };
}

/** Those tables of the service that a database has, and those of Auth, in the order in which they can be loaded. */
export async function findTables(query: Query): Promise<Table[]> {
  const { tables } = await readMigrationFiles();
  return await query<Table>(
    `select wanted.name,
       array(
         select quote_ident(attname) from pg_catalog.pg_attribute
         where attrelid = wanted.name::regclass and attnum > 0 and not attisdropped and attgenerated = ''
         order by attnum
       ) as columns,
       array(
         select format('%I.%I', sequence.relnamespace::regnamespace, sequence.relname) from pg_catalog.pg_depend
         join pg_catalog.pg_class as sequence on sequence.oid = objid and sequence.relkind = 'S'
         where refobjid = wanted.name::regclass and refobjsubid > 0 and deptype in ('a', 'i')
         order by 1
       ) as sequences
     from unnest($1::text[]) with ordinality as wanted (name, place)
     where to_regclass(wanted.name) is not null order by place`,
    [[...authTables, ...tables]],
  );
}

/** Returns true for a table of Auth, which owns it. */
export function isOfAuth(name: string): boolean {
  return authTables.includes(name);
}
