import { join } from "node:path";
import { CommandError, errorMessage } from "../command_error.ts";
import type { BackupContext } from "./back_up.ts";
import { listFiles, storeFiles } from "./copy_files.ts";
import { type Manifest, pathInBackup, readManifest, sizeOf } from "./manifest.ts";
import { type Connection, copyIn, openDatabase, type Query } from "./open_database.ts";
import type { BackupSettings } from "./read_backup_settings.ts";
import { isOfAuth, readMigrations } from "./service_tables.ts";
import { Buffer } from "node:buffer";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { fieldsOf } from "../../../shared/libs/base/fields_of.ts";

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

const copyStatement = /^COPY (\w+\.\w+) \(.+\) FROM stdin;$/;
const statement = /^SELECT pg_catalog\.setval\('\w+\.\w+', \d+, (true|false)\);$/;

/**
 * Loads the rows that `writeRows` has written, as they are read.
 *
 * @returns the number of rows in each table.
 * @throws {CommandError} if the file is damaged, or is not what `writeRows` writes.
 */
async function loadRows(
  file: string,
  connection: Connection,
  onTable: (name: string) => void,
): Promise<Record<string, number>> {
  try {
    return await load(file, connection, onTable);
  } catch (error) {
    // Of zlib: the file ends too early, or has other bytes.
    if (!String(fieldsOf(error).code).startsWith("Z_")) throw error;
    throw new CommandError(`${file} is damaged: ${errorMessage(error)}. Nothing was restored.`);
  }
}

async function load(
  file: string,
  { query, copy }: Connection,
  onTable: (name: string) => void,
): Promise<Record<string, number>> {
  const input = createReadStream(file);
  const unpacked = createGunzip();
  const reading = pipeline(input, unpacked);
  reading.catch(() => {});
  const script = readScript(unpacked);
  const counts: Record<string, number> = {};
  for (let line = await script.line(); line !== null; line = await script.line()) {
    const [, table] = copyStatement.exec(line) ?? [];
    if (table !== undefined) {
      onTable(table);
      const rows = copy(copyIn(line, script.rows()));
      await rows.done;
      counts[table] = rows.rowCount;
    } else if (statement.test(line)) await query(line);
    else if (line !== "" && !line.startsWith("--")) throw new CommandError(`${file} is not a file of npm run backup.`);
  }
  await reading;
  return counts;
}

const endOfRows = "\n\\.\n";

/** Reads lines, and after a COPY statement the rows up to the line that ends them, block by block. */
export function readScript(input: AsyncIterable<Uint8Array>) {
  const blocks = input[Symbol.asyncIterator]();
  let rest = Buffer.alloc(0);
  const readMore = async () => {
    const { value, done } = await blocks.next();
    if (!done) rest = Buffer.concat([rest, value]);
    return !done;
  };
  return {
    /** The next line; null at the end. */
    async line(): Promise<string | null> {
      while (!rest.includes("\n")) if (!await readMore()) return null;
      const end = rest.indexOf("\n");
      const line = rest.toString("utf8", 0, end);
      rest = rest.subarray(end + 1);
      return line;
    },
    /** The rows that come next. @throws {CommandError} if their end is missing. */
    async *rows(): AsyncGenerator<Buffer> {
      // The line that ends them may be the first one.
      rest = Buffer.concat([Buffer.from("\n"), rest]);
      let isBegun = false;
      while (true) {
        const end = rest.indexOf(endOfRows);
        // What may be the beginning of that line is kept back.
        const length = end >= 0 ? end + 1 : rest.length - endOfRows.length + 1;
        if (length > 0) {
          const block = rest.subarray(isBegun ? 0 : 1, length);
          isBegun = true;
          rest = rest.subarray(length);
          if (block.length > 0) yield block;
        }
        if (end >= 0) break;
        if (!await readMore()) throw new CommandError("The file with the rows has no end.");
      }
      rest = rest.subarray(endOfRows.length - 1);
    },
  };
}
