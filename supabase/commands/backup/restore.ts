import { join } from "node:path";
import { CommandError, errorMessage } from "../command_error.ts";
import type { BackupContext } from "./back_up.ts";
import { listFiles, storeFiles } from "./copy_files.ts";
import { loadRows } from "./load_rows.ts";
import { type Manifest, pathInBackup, readManifest, sizeOf } from "./manifest.ts";
import { type Connection, openDatabase, type Query } from "./open_database.ts";
import type { BackupSettings } from "./read_backup_settings.ts";
import { isOfAuth, readMigrations } from "./service_tables.ts";

/** Brings a backup into an empty project of the same version, and returns what is in the backup. */
export async function restore(
  { database, folder }: BackupSettings,
  { progress, stores }: BackupContext,
): Promise<Manifest> {
  const manifest = await readManifest(folder);
  await requireWhole(folder, manifest);
  progress.begin("Connecting to the database");
  // Not one connection for both: the files may take hours.
  const present = await withDatabase(database, async ({ query }) => {
    await requireTarget(query, manifest);
    return await listFiles(query);
  });
  progress.begin("Copying the files");
  await storeFiles(manifest.files, {
    folder,
    stores,
    present,
    onFile: (done) => progress.tell(`${done} of ${manifest.files.length}`),
  });
  await withDatabase(database, async (connection) => {
    const { query } = connection;
    await query("begin");
    await query("set local search_path = ''; set local lock_timeout = '60s'");
    await requireTarget(query, manifest);
    const resume = await pauseChecks(query, Object.keys(manifest.tables).filter((name) => !isOfAuth(name)));
    const counts = await loadRows(join(folder, manifest.rows), connection, (name) => {
      progress.begin(`Copying the rows of ${name}`);
    });
    for (const [name, count] of Object.entries(manifest.tables)) {
      if (counts[name] !== count) throw new CommandError(`${folder} is damaged: rows of ${name} are missing.`);
    }
    progress.begin("Checking references");
    for (const statement of resume) {
      await query(statement).catch((error) => {
        throw new CommandError(`${folder} is damaged: ${errorMessage(error)}. Nothing was restored.`);
      });
    }
    await query("commit");
    progress.begin("Counting values for the planner");
    for (const name of Object.keys(manifest.tables).filter((name) => !isOfAuth(name))) await query(`analyze ${name}`);
  });
  return manifest;
}

async function withDatabase<Result>(url: URL, work: (connection: Connection) => Promise<Result>): Promise<Result> {
  await using connection = await openDatabase(url);
  return await work(connection);
}

async function requireWhole(folder: string, { rows, files }: Manifest): Promise<void> {
  const faults: string[] = await sizeOf(join(folder, rows)) === null ? [rows] : [];
  for (const file of files) if (await sizeOf(pathInBackup(folder, file)) !== file.size) faults.push(file.path);
  if (faults.length === 0) return;
  throw new CommandError(
    `${folder} is damaged: ${faults.length} of its files are missing or cut, such as ${
      faults[0]
    }. Nothing was restored.`,
  );
}

/** @throws {CommandError} if the database is of another version, or has accounts or users. */
async function requireTarget(query: Query, { migrations, release, tables }: Manifest): Promise<void> {
  const applied = await readMigrations(query);
  const missing = migrations.filter((version) => !applied.includes(version));
  const more = applied.filter((version) => !migrations.includes(version));
  if (missing.length + more.length > 0) {
    const difference = [
      ...missing.length > 0 ? [`it lacks ${missing.join(", ")}`] : [],
      ...more.length > 0 ? [`the backup was made before ${more.join(", ")}`] : [],
    ];
    throw new CommandError(
      `The database has other migrations than the backup: ${difference.join("; ")}.\n` +
        `Deploy the version that the backup was made with (about ${release}), restore, and then upgrade.`,
    );
  }
  for (const name of ["public.accounts", "auth.users"].filter((name) => name in tables)) {
    const [{ count }] = await query(`select count(*) from ${name}`) as [{ count: string }];
    if (count === "0") continue;
    throw new CommandError(
      `The project is not empty: ${name} has ${count} ${count === "1" ? "row" : "rows"}. Nothing was changed.\n` +
        "Restore into a new project to which only the service was deployed.",
    );
  }
}

/**
 * Empties tables, and stops what would act on each row that comes: triggers, and references, which are checked together
 * at the end. Their owner may do that; to switch references off, one would have to be a superuser.
 *
 * @returns the statements that bring it all back.
 */
async function pauseChecks(query: Query, names: string[]): Promise<string[]> {
  const references = await query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_catalog.pg_constraint where contype = 'f' and conrelid = any($1::regclass[]) order by 1, 2`,
    [names],
  );
  for (const { table, name } of references) await query(`alter table ${table} drop constraint ${name}`);
  for (const name of names) await query(`alter table ${name} disable trigger user`);
  // A migration fills some, and the tests of a deployment leave rows that belong to nobody.
  await query(`truncate ${names.join(", ")}`);
  return [
    ...references.map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`),
    ...names.map((name) => `alter table ${name} enable trigger user`),
  ];
}
