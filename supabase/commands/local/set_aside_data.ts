import { basename, dirname, join } from "node:path";
import { sha256Hex } from "../../../shared/core/auth/sha256_hex.ts";
import { CommandError } from "../command_error.ts";
import { errorMessage } from "../error_message.ts";
import { lockData } from "./lock_data.ts";
import { projectRoot } from "./state.ts";

/** The folder of the migrations, and the current time. */
type Options = { migrations?: string; now?: Date };

/** The outcome for the data of other migrations. */
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

/** The most folders that are kept aside. */
const mostKept = 3;

/**
 * Makes sure that the database in a data folder, if there is one, was created by the current migrations. Otherwise, the
 * whole folder is renamed, and replaced by one that was set aside earlier and has the current migrations or, if there is
 * none, by an empty one. Until v1.0.0 the migrations are edited in place, so an existing database cannot be brought up
 * to date.
 *
 * @returns null when there was no data or it can stay.
 * @throws {CommandError} when a stack runs on the old data, or it cannot be moved.
 */
export async function setAsideOldData(
  folder: string,
  { migrations = join(projectRoot, "supabase/migrations"), now = new Date() }: Options = {},
): Promise<SetAside | null> {
  const fingerprint = await fingerprintMigrations(migrations);
  if (await readFingerprint(folder) === fingerprint) return null;
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  using lock = await lockData(folder);
  if (lock === null) throw stackIsRunning(folder);
  // Another start may have done this in the meantime.
  if (await readFingerprint(folder) === fingerprint) return null;
  const commit = await Deno.readTextFile(commitFile(folder)).catch(nullIfNotFound);
  const movedTo = await exists(join(folder, "postgres")) ? await moveAside(folder, now, lock) : null;
  const aside = movedTo === null ? [] : await listAside(folder);
  const broughtBackFrom = await findAside(aside, fingerprint);
  if (broughtBackFrom !== null) await Deno.rename(broughtBackFrom, folder);
  // Written before the database is created: if that is interrupted, the next start continues with the remaining
  // migrations.
  else await describeNewData(folder, migrations, fingerprint);
  if (movedTo === null) return null;
  const deleted = aside.filter((path) => path !== broughtBackFrom).slice(mostKept);
  for (const path of deleted) await Deno.remove(path, { recursive: true });
  return { movedTo, commit, broughtBackFrom, deleted };
}

/** Writes into an empty data folder which migrations its database will have. */
async function describeNewData(folder: string, migrations: string, fingerprint: string): Promise<void> {
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  const commit = await findCommit(migrations);
  if (commit === null) await Deno.remove(commitFile(folder)).catch(nullIfNotFound);
  else await Deno.writeTextFile(commitFile(folder), commit);
  await Deno.writeTextFile(fingerprintFile(folder), fingerprint);
}

/** The current commit, if the migrations are as they are there; null without git. */
async function findCommit(migrations: string): Promise<string | null> {
  const git = async (...args: string[]) => {
    const command = new Deno.Command("git", { args: ["-C", migrations, ...args], stdin: "null", stderr: "null" });
    const { success, stdout } = await command.output();
    return success ? new TextDecoder().decode(stdout).trim() : null;
  };
  try {
    return await git("status", "--porcelain", ".") === "" ? await git("rev-parse", "--short", "HEAD") : null;
  } catch {
    return null;
  }
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

async function findAside(aside: string[], fingerprint: string): Promise<string | null> {
  for (const path of aside) if (await readFingerprint(path) === fingerprint) return path;
  return null;
}

/** The error for a data folder that another stack uses. */
export function stackIsRunning(folder: string): CommandError {
  return new CommandError(
    `Another stack is already running on ${folder}. Stop it, or set DATA_DIR to another folder.`,
  );
}

/** A hash of the names and contents of all migrations: those that `@supabase/lite` applies. */
async function fingerprintMigrations(migrations: string): Promise<string> {
  const names = [...Deno.readDirSync(migrations)].map(({ name }) => name)
    .filter((name) => name.endsWith(".sql") && !name.startsWith(".")).toSorted();
  const contents = await Promise.all(names.map((name) => Deno.readTextFile(join(migrations, name))));
  return sha256Hex(JSON.stringify(names.map((name, index) => [name, contents[index]])));
}

function fingerprintFile(folder: string): string {
  return join(folder, "migrations.sha256");
}

function commitFile(folder: string): string {
  return join(folder, "migrations.commit");
}

async function readFingerprint(folder: string): Promise<string | null> {
  return await Deno.readTextFile(fingerprintFile(folder)).catch(nullIfNotFound);
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
      `supabase/migrations has changed, and the old data in ${folder} cannot be moved to ${target}: ` +
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
