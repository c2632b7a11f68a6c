import { basename, join } from "node:path";
import { z } from "zod";
import { type Database, passwordVariables, queryDatabase, type SupabaseCli } from "./supabase_cli.ts";
import { createTempFolder } from "./run_deno.ts";

const Found = z.object({ kind: z.string(), name: z.string(), detail: z.string() });

/** Something in a database that pending migrations may meet. */
export type Found = z.output<typeof Found>;

/** What pending migrations create, by its name with the schema: `public.threads`. */
export type Created = { tables: string[]; functions: string[]; buckets: string[]; schemas: string[] };

/** The names in the catalog of the extensions that the migrations use, and those that people know. */
const extensions = new Map([["vector", "pgvector"], ["pg_trgm", "pg_trgm"]]);

/** What of other applications pending migrations would take over or fail at: a sentence for each, with the remedy. */
export async function findConflicts(
  root: string,
  cli: SupabaseCli,
  { database, pending }: { database: Database; pending: string[] },
): Promise<string[]> {
  const files = pending.map((file) => join(root, "supabase/migrations", basename(file)));
  const created = readCreated((await Promise.all(files.map((file) => Deno.readTextFile(file)))).join("\n"));
  return explainConflicts(await queryDatabase(cli, database, showConflictsSql(created), Found), created);
}

/** Reads from migrations what they create. */
export function readCreated(sql: string): Created {
  const namesIn = (pattern: RegExp) => Array.from(sql.matchAll(pattern), ([, name]) => name!);
  return {
    tables: namesIn(/^create (?:unlogged )?(?:table|view) (\w+\.\w+)/gm),
    functions: namesIn(/^create function (\w+\.\w+)/gm),
    buckets: namesIn(/^insert into storage\.buckets [^']*'(\w+)'/gm),
    schemas: namesIn(/^create schema if not exists (private);/gm),
  };
}

function showConflictsSql({ tables, functions, schemas }: Created): string {
  const list = (names: Iterable<string>) => `array[${Array.from(names, (name) => `'${name}'`).join(", ")}]::text[]`;
  return `
    select 'bucket' as kind, id as name, case when public then 'public' else 'private' end as detail
    from storage.buckets where id in ('knowledge', 'pictures')
    union all
    select 'extension', extname, nspname || ' ' || extversion from pg_catalog.pg_extension
    join pg_catalog.pg_namespace as space on space.oid = extnamespace where extname = any(${list(extensions.keys())})
    union all
    select 'schema', nspname, '' from pg_catalog.pg_namespace where nspname = any(${list(schemas)})
    union all
    select 'table', nspname || '.' || relname, '' from pg_catalog.pg_class
    join pg_catalog.pg_namespace as space on space.oid = relnamespace
    where nspname || '.' || relname = any(${list(tables)})
    union all
    select distinct 'function', nspname || '.' || proname, '' from pg_catalog.pg_proc
    join pg_catalog.pg_namespace as space on space.oid = pronamespace
    where nspname || '.' || proname = any(${list(functions)})
    order by 1, 2`;
}

/** Explains what was found. */
export function explainConflicts(found: Found[], created: Created): string[] {
  const taken = found.filter(({ kind }) => ["table", "function"].includes(kind)).map(({ name }) => name);
  return [
    ...found.flatMap((one) => explain(one, created)),
    ...taken.length === 0 ? [] : [
      `The database already has ${shorten(taken)}, which this service creates. Rename ` +
      `${taken.length === 1 ? "it" : "them"}, or deploy to a project of its own.`,
    ],
  ];
}

function explain({ kind, name, detail }: Found, { buckets }: Created): string[] {
  const isPublic = detail === "public";
  const [schema, version] = detail.split(" ");
  switch (kind) {
    case "bucket":
      if (buckets.includes(name)) {
        return [
          `There already is a bucket ${name}, which is ${detail}. This service would keep its files there` +
          `${isPublic ? ", and everybody could read them" : ""}. Move what is in it to a bucket of another name and ` +
          "delete it (dashboard, under Storage), or deploy to a project of its own.",
        ];
      }
      if (isPublic === (name === "pictures")) return [];
      return [
        `The bucket ${name} is ${detail}, so ${
          isPublic ? "everybody can read the files of experts" : "no picture is shown"
        }. ` +
        `Change that: update storage.buckets set public = ${!isPublic} where id = '${name}';`,
      ];
    case "extension": {
      const [major, minor] = version!.split(".").map(Number);
      return [
        ...schema === "extensions" ? [] : [
          `${extensions.get(name)} is in the schema ${schema}, and has to be in extensions. Move it: ` +
          `create schema if not exists extensions; alter extension ${name} set schema extensions;`,
        ],
        ...name !== "vector" || major! > 0 || minor! >= 7 ? [] : [
          `pgvector is version ${version}, and has to be 0.7 or newer. Update it: alter extension vector update;`,
        ],
      ];
    }
    case "schema":
      return [
        `There already is a schema ${name}. This service keeps its own tables in one of that name, and closes it to others. ` +
        `Rename yours: alter schema ${name} rename to …;`,
      ];
    default:
      return [];
  }
}

function shorten(names: string[]): string {
  const shown = names.slice(0, 5).join(", ");
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown;
}

const Migration = z.object({ version: z.string(), name: z.string().nullable() });

/** The migrations of a database that the project does not have, as names of files; none where it cannot be read. */
export async function findUnknownMigrations(
  root: string,
  cli: SupabaseCli,
  database: Database,
): Promise<string[]> {
  const query = "select version, name from supabase_migrations.schema_migrations order by version";
  try {
    const applied = await queryDatabase(cli, database, query, Migration);
    const versions = new Set(
      Array.from(Deno.readDirSync(join(root, "supabase/migrations")), ({ name }) => name.split("_")[0]),
    );
    return applied.filter(({ version }) => !versions.has(version)).map(({ version, name }) => `${version}_${name}`);
  } catch {
    return [];
  }
}

/** The names in the vault of the address and the key with which pg_cron calls the indexer. */
const names = ["project_url", "secret_key"];

/** Returns true if the vault has both. Never rejects: a vault that cannot be read counts as empty. */
export async function readClock(cli: SupabaseCli, database: Database): Promise<boolean> {
  const query = `select name from vault.secrets where name in (${names.map((name) => `'${name}'`).join(", ")})`;
  try {
    const rows = await queryDatabase(cli, database, query, z.object({ name: z.string() }));
    return names.every((name) => rows.some((row) => row.name === name));
  } catch {
    return false;
  }
}

/** Stores in the vault which of both it lacks. What it has stays as it is. @throws {CommandError} if it cannot. */
export async function startClock(
  cli: SupabaseCli,
  { remote, password }: Database,
  { url, secretKey }: { url: string; secretKey: string },
): Promise<void> {
  // In a file, as all users of the machine can see a process's arguments. Neither value can have a quote in it.
  await using temp = await createTempFolder();
  const file = join(temp.folder, "clock.sql");
  const statements = [["project_url", url], ["secret_key", secretKey]].map(([name, value]) =>
    `select vault.create_secret('${value!.replaceAll("'", "''")}', '${name}')
     where not exists (select from vault.secrets where name = '${name}')`
  );
  await Deno.writeTextFile(file, statements.join("\nunion all\n"), { mode: 0o600 });
  await cli(["db", "query", "--file", file, `--remote=${remote}`], z.unknown(), passwordVariables(password));
}
