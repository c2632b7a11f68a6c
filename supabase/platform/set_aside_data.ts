import { basename, dirname, join } from "node:path";
import { CommandError, errorMessage } from "../commands/command_error.ts";
import {
  compareMigrations,
  describeData,
  lockData,
  type Migrations,
  readMigrationFiles,
  readRecord,
  refuseLaterData,
  stackIsRunning,
} from "./data_folder.ts";
import { projectRoot } from "./state.ts";
import { restoreInterrupted } from "./upgrade_data.ts";

/** The folder of the migrations, and the current time. */
export type DataOptions = { migrations?: string; now?: Date };

/** The outcome for data that the current migrations cannot bring up to date. */
export type SetAside = {
  /** The folder in which that data is now. */
  movedTo: string;
  /** A commit with the migrations of that data; null if they were edited since, or never committed. */
  commit: string | null;
  /** The folder in which data of the current migrations was found, which is in use again; null if there is none. */
  broughtBackFrom: string | null;
  /** Folders that were set aside earlier and have been deleted. */
  deleted: string[];
};

/** A data folder that can be used: what had to be moved for it, and the migrations that it does not have yet. */
export type PreparedData = { setAside: SetAside | null; pending: string[] };

/** The most folders that are kept aside. */
const mostKept = 3;

/** The default folder of the migrations. */
const usualMigrations = join(projectRoot, "supabase/migrations");

/**
 * Makes sure that the database in a data folder, if there is one, has the current migrations or can be upgraded to them.
 * Otherwise, the whole folder is set aside: its migrations were edited, or it is from before 1.0.0.
 *
 * @throws {CommandError} when the data is from a later version, when a stack runs on data that is to be moved, or when
 * it cannot be moved. The folder is then left as it is.
 */
export async function prepareData(
  folder: string,
  { migrations = usualMigrations, now = new Date() }: DataOptions = {},
): Promise<PreparedData> {
  const current = await readMigrationFiles(migrations);
  const judge = async (): Promise<PreparedData | "other"> => {
    const record = await readRecord(folder);
    const { relation, pending } = compareMigrations(record?.migrations ?? null, current);
    if (relation === "later") throw refuseLaterData(folder, record!);
    return relation === "other" ? "other" : { setAside: null, pending };
  };
  await restoreInterrupted(folder);
  const known = await judge();
  if (known !== "other") return known;
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  using lock = await lockData(folder);
  if (lock === null) throw stackIsRunning(folder);
  // Another start may have done this in the meantime.
  const found = await judge();
  if (found !== "other") return found;
  if (!await exists(join(folder, "postgres"))) {
    await describeData(folder, migrations, current);
    return { setAside: null, pending: [] };
  }
  return { setAside: await replaceData(folder, { migrations, current, now, lock }), pending: [] };
}

/** Sets a folder's data aside as {@link prepareData} does. @throws {CommandError} if in use, or it cannot be moved */
export async function setDataAside(
  folder: string,
  { migrations = usualMigrations, now = new Date() }: DataOptions = {},
): Promise<SetAside> {
  using lock = await lockData(folder);
  if (lock === null) throw stackIsRunning(folder);
  return await replaceData(folder, { migrations, current: await readMigrationFiles(migrations), now, lock });
}

type Replacement = Required<DataOptions> & { current: Migrations; lock: Deno.FsFile };

/** Renames a data folder, and replaces it by one set aside that has the current migrations, or by an empty one. */
async function replaceData(folder: string, { migrations, current, now, lock }: Replacement): Promise<SetAside> {
  const commit = (await readRecord(folder))?.commit ?? await readOldCommit(folder);
  const movedTo = await moveAside(folder, now, lock);
  const aside = await listAside(folder);
  const broughtBackFrom = await findAside(aside, current);
  if (broughtBackFrom !== null) await Deno.rename(broughtBackFrom, folder);
  // Written before the database is created: if that is interrupted, the next start continues with the remaining
  // migrations.
  else await describeData(folder, migrations, current);
  const deleted = aside.filter((path) => path !== broughtBackFrom).slice(mostKept);
  for (const path of deleted) await Deno.remove(path, { recursive: true });
  return { movedTo, commit, broughtBackFrom, deleted };
}

/** The commit in a folder from before 1.0.0. */
async function readOldCommit(folder: string): Promise<string | null> {
  return await Deno.readTextFile(join(folder, "migrations.commit")).catch(nullIfNotFound);
}

/** The folders that were set aside, the newest first. */
async function listAside(folder: string): Promise<string[]> {
  const isAside = (name: string) =>
    name.startsWith(`${basename(folder)}-`) &&
    /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(-\d+)?$/.test(name.slice(basename(folder).length + 1));
  const entries = await Array.fromAsync(Deno.readDir(dirname(folder)));
  const names = entries.filter(({ isDirectory, name }) => isDirectory && isAside(name)).map(({ name }) => name);
  const inOrder = new Intl.Collator("en", { numeric: true });
  return names.toSorted((one, other) => inOrder.compare(other, one)).map((name) => join(dirname(folder), name));
}

async function findAside(aside: string[], current: Migrations): Promise<string | null> {
  for (const path of aside) {
    const { relation, pending } = compareMigrations((await readRecord(path))?.migrations ?? null, current);
    if (relation === "same" && pending.length === 0) return path;
  }
  return null;
}

/** Renames a folder by appending the time to its name. */
async function moveAside(folder: string, now: Date, lock: Deno.FsFile): Promise<string> {
  const name = `${folder}-${now.toISOString().slice(0, 19).replaceAll(":", "-")}`;
  let target = name;
  try {
    for (let number = 2; await exists(target); number++) target = `${name}-${number}`;
    // Windows renames no folder in which a file is open.
    if (Deno.build.os === "windows") lock.close();
    await Deno.rename(folder, target);
    return target;
  } catch (error) {
    throw new CommandError(
      `The data in ${folder} does not fit supabase/migrations, and cannot be moved to ${target}: ` +
        `${errorMessage(error)}. Move it yourself, or set DATA_DIR to another folder.`,
    );
  }
}

async function exists(path: string): Promise<boolean> {
  return await Deno.lstat(path).catch(nullIfNotFound) !== null;
}

function nullIfNotFound(error: unknown): null {
  if (error instanceof Deno.errors.NotFound) return null;
  throw error;
}
