import { join } from "node:path";
import { release } from "../../../shared/infra/release.ts";
import { CommandError } from "../command_error.ts";
import type { ProgressLine } from "../../platform/progress_line.ts";
import { fetchFiles, type FileStores, type ListedFile, listFiles } from "./copy_files.ts";
import { type Manifest, pathInBackup, readManifest, type StoredFile, writeManifest } from "./manifest.ts";
import { type Connection, copyOut, openDatabase, type Query } from "./open_database.ts";
import type { BackupSettings } from "./read_backup_settings.ts";
import { findTables, readMigrationFiles, readMigrations, type Table } from "./service_tables.ts";
import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";

/** The tools of both commands, besides the settings. */
export type BackupContext = {
  progress: ProgressLine;
  /** Opens the buckets of the project. @throws {CommandError} if its address or key is not known. */
  stores: () => Promise<FileStores>;
};

/** Backs a project up to the folder, and returns what is in the backup. */
export async function backUp(
  { database, folder }: BackupSettings,
  { progress, stores }: BackupContext,
): Promise<Manifest> {
  const madeAt = new Date().toISOString();
  const rowsFile = `rows-${madeAt.replaceAll(/[:.]/g, "-")}.sql.gz`;
  progress.begin("Connecting to the database");
  await using connection = await openDatabase(database);
  const { query } = connection;
  // Everything from here on is of one moment.
  await query("begin isolation level repeatable read, read only");
  await query("set local search_path = ''; set local row_security = off");
  const migrations = await readMigrations(query);
  await refuseUnknown(migrations);
  const [tables, vault, files] = [await findTables(query), await readVault(query), await listFiles(query)];
  // Before the rows, which may take long.
  if (files.length > 0) await stores();
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  if (Deno.build.os !== "windows") await Deno.chmod(folder, 0o700);
  const counts = await writeRows(join(folder, rowsFile), connection, {
    tables,
    onTable: (name) => progress.begin(`Copying the rows of ${name}`),
    onBytes: (written) => progress.tell(`${(written / 1e6).toFixed(1)} MB in all`),
  });
  await query("commit");
  progress.begin("Copying the files");
  const present = await fetchFiles(files, {
    folder,
    stores,
    onFile: (done) => progress.tell(`${done} of ${files.length}`),
  });
  if (present.length < files.length) await requireDeleted(database, files, present);
  const manifest: Manifest = {
    format: 1,
    made_at: madeAt,
    database: database.hostname,
    release: release.version,
    migrations,
    vault,
    rows: rowsFile,
    tables: counts,
    files: present,
  };
  const before = await readManifest(folder).then(({ files }) => files, () => []);
  await writeManifest(folder, manifest);
  await removeOld(folder, manifest, before);
  return manifest;
}

async function refuseUnknown(applied: string[]): Promise<void> {
  const { versions } = await readMigrationFiles();
  const unknown = applied.filter((version) => !versions.includes(version));
  if (unknown.length === 0) return;
  throw new CommandError(
    `The database has migrations that this folder does not have: ${unknown.join(", ")}. Its tables are not known\n` +
      "here. Check out the version of the service that was deployed last, and run this again.",
  );
}

/** @throws {CommandError} if a file that did not come is still there: Storage answers a wrong key as a missing file. */
async function requireDeleted(database: URL, files: ListedFile[], present: StoredFile[]): Promise<void> {
  await using connection = await openDatabase(database);
  const nameOf = ({ bucket, path }: Pick<StoredFile, "bucket" | "path">) => `${bucket}/${path}`;
  const here = new Set(present.map(nameOf));
  const listed = new Set((await listFiles(connection.query)).map(nameOf));
  const lacking = files.map(nameOf).filter((name) => !here.has(name) && listed.has(name));
  if (lacking.length === 0) return;
  throw new CommandError(
    `Storage does not give ${lacking.length} of ${files.length} files, such as ${
      lacking[0]
    }. Check that SECRET_KEY is ` +
      "a secret key of this project.",
  );
}

/** The names of what the vault has; none where it cannot be read. */
async function readVault(query: Query): Promise<string[]> {
  const [{ isReadable }] = await query(
    `select coalesce(has_table_privilege(to_regclass('vault.secrets'), 'select'), false) as "isReadable"`,
  ) as [{ isReadable: boolean }];
  if (!isReadable) return [];
  const rows = await query<{ name: string }>("select name from vault.secrets where name is not null order by name");
  return rows.map(({ name }) => name);
}

/** Removes what only the backup before this one had, such as the files of people who were erased since. */
async function removeOld(folder: string, { rows, files }: Manifest, before: StoredFile[]): Promise<void> {
  for (const { name } of [...Deno.readDirSync(folder)]) {
    if (/^rows-.*\.sql\.gz$/.test(name) && name !== rows) await Deno.remove(join(folder, name));
  }
  const kept = new Set(files.map((file) => pathInBackup(folder, file)));
  for (const path of before.map((file) => pathInBackup(folder, file))) {
    if (!kept.has(path)) await Deno.remove(path).catch(() => {});
  }
}

/**
 * Writes the rows of tables into a file, as `pg_dump --data-only` does: SQL with `COPY … FROM stdin`, compressed. They
 * pass through: no table is ever in memory.
 *
 * @returns the number of rows in each table.
 */
async function writeRows(
  file: string,
  { query, copy }: Connection,
  { tables, onTable, onBytes }: {
    tables: Table[];
    onTable: (name: string) => void;
    /** Called with what has been read so far. */
    onBytes: (read: number) => void;
  },
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  async function* script() {
    yield "-- The rows of human-intelligence-chat. npm run restore loads them.\n";
    let read = 0;
    for (const { name, columns } of tables) {
      onTable(name);
      const target = `${name} (${columns.join(", ")})`;
      const rows = copy(copyOut(`copy ${target} to stdout`));
      yield `\nCOPY ${target} FROM stdin;\n`;
      for await (const block of rows.blocks) {
        yield block;
        onBytes(read += block.length);
      }
      yield "\\.\n";
      counts[name] = rows.rowCount;
    }
    for (const sequence of tables.flatMap(({ sequences }) => sequences)) {
      const [{ last_value, is_called }] = await query(`select last_value, is_called from ${sequence}`) as [
        { last_value: string; is_called: boolean },
      ];
      yield `SELECT pg_catalog.setval('${sequence}', ${last_value}, ${is_called});\n`;
    }
  }
  await pipeline(script, createGzip({ level: 4 }), createWriteStream(file, { mode: 0o600, flags: "wx" }));
  return counts;
}
