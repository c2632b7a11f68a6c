import { join, relative } from "node:path";
import { CommandError } from "../commands/command_error.ts";
import { z } from "zod";
import { release } from "../../shared/infra/release.ts";
import { sha256Hex } from "../../shared/core/auth/digest.ts";
import { projectRoot } from "./state.ts";

/** Windows has no such modes; there a folder in the user's own is closed to others. */
const hasModes = Deno.build.os !== "windows";
const forOthers = 0o077;

/** Makes everything that this process and those it starts write from now on unreadable to other users. */
export function closeNewFiles(): void {
  if (hasModes) Deno.umask(forOthers);
}

/** Closes a data folder to other users; returns whether it was open. @throws {CommandError} if it is not one's own */
export async function closeDataFolder(folder: string): Promise<boolean> {
  const found = await Deno.stat(folder).catch(undefinedIfMissing);
  if (found?.isFile) throw new CommandError(`${folder} is a file. Set DATA_DIR to a folder.`);
  const mode = hasModes && found ? found.mode! : 0;
  if ((mode & forOthers) === 0) return false;
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name);
  if (names.length > 0 && !names.includes("secrets.json")) {
    throw new CommandError(
      `Other users can read ${folder}, and it contains other files. Set DATA_DIR to a folder that is used for nothing else.`,
    );
  }
  try {
    await Deno.chmod(folder, mode & ~forOthers & 0o777);
  } catch (error) {
    if (!(error instanceof Deno.errors.PermissionDenied)) throw error;
    throw new CommandError(
      `Other users can read ${folder}, and it belongs to another user. Set DATA_DIR to a folder of your own.`,
    );
  }
  return true;
}

/** Closes the files in a folder to other users. PGlite sets the modes of its first files itself, whatever the umask. */
export async function closeFiles(folder: string): Promise<void> {
  if (!hasModes) return;
  for await (const { name, isDirectory, isSymlink } of Deno.readDir(folder)) {
    if (isSymlink) continue;
    const path = join(folder, name);
    const { mode } = await Deno.lstat(path);
    if ((mode! & forOthers) !== 0) await Deno.chmod(path, mode! & ~forOthers & 0o777);
    if (isDirectory) await closeFiles(path);
  }
}

function undefinedIfMissing(error: unknown): undefined {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}

/** Locks a data folder until the file is closed: two processes destroy it. Null when another holds the lock. */
export async function lockData(folder: string): Promise<Deno.FsFile | null> {
  const path = join(folder, "postgres.lock");
  while (true) {
    const file = await Deno.open(path, { create: true, write: true });
    if (!await file.tryLock(true)) {
      file.close();
      return null;
    }
    // The folder may have been moved since the file was opened; the lock would then be that of the moved folder.
    const [locked, present] = await Promise.all([file.stat(), Deno.stat(path).catch(() => null)]);
    if (locked.ino === present?.ino) return file;
    file.close();
    await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  }
}

/** The error for a data folder that another stack uses. */
export function stackIsRunning(folder: string): CommandError {
  return new CommandError(
    `Another stack is already running on ${folder}. Stop it, or set DATA_DIR to another folder.`,
  );
}

/** Migrations in order: the names of their files, and the SHA-256 of each. */
export type Migrations = [file: string, sha256: string][];

const dataRecord = z.object({
  /** The version of the service that wrote it. */
  version: z.string(),
  /** A commit with these migrations; null if there was none, or without git. */
  commit: z.string().nullable(),
  migrations: z.array(z.tuple([z.string(), z.string()])),
});

/** The record in a data folder: which migrations its database has. */
type DataRecord = z.output<typeof dataRecord>;

/** The migrations of a data folder, compared with those of a checkout. */
type Comparison = {
  /** `same`: equal, or the checkout only adds some at the end. `later`: the data has more. `other`: anything else. */
  relation: "same" | "later" | "other";
  /** The files that the data does not have yet. */
  pending: string[];
};

/** Reads the migrations in a folder: those that `@supabase/lite` applies. */
export async function readMigrationFiles(folder: string): Promise<Migrations> {
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name)
    .filter((name) => name.endsWith(".sql") && !name.startsWith(".")).toSorted();
  return await Promise.all(
    names.map(async (name): Promise<Migrations[number]> => [
      name,
      await sha256Hex(await Deno.readTextFile(join(folder, name))),
    ]),
  );
}

/** Compares the migrations of data with the current ones. Null stands for data without a record. */
export function compareMigrations(ofData: Migrations | null, current: Migrations): Comparison {
  const shared = Math.min(ofData?.length ?? 0, current.length);
  const isAlike = ofData !== null &&
    ofData.slice(0, shared).every(([file, digest], index) =>
      file === current[index]![0] && digest === current[index]![1]
    );
  if (!isAlike) return { relation: "other", pending: [] };
  if (ofData.length > current.length) return { relation: "later", pending: [] };
  return { relation: "same", pending: current.slice(shared).map(([file]) => file) };
}

/** Returns null for a folder without a record: it is new, or from before 1.0.0. */
export async function readRecord(folder: string): Promise<DataRecord | null> {
  try {
    return dataRecord.parse(JSON.parse(await Deno.readTextFile(recordFile(folder))));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

/** Writes into a data folder which migrations its database has, or will have. */
export async function describeData(folder: string, migrations: string, current: Migrations): Promise<void> {
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  const record: DataRecord = {
    version: release.version,
    commit: await findCommit(migrations),
    migrations: current,
  };
  // Renamed into place, so that a process killed here leaves the old file or the new one.
  await Deno.writeTextFile(`${recordFile(folder)}.new`, JSON.stringify(record, null, 2));
  await Deno.rename(`${recordFile(folder)}.new`, recordFile(folder));
}

/** The error for data that a later version has upgraded, with the commands for both ways out. */
export function refuseLaterData(folder: string, { version, commit }: DataRecord): CommandError {
  const later = commit === null ? "npm start in the checkout of that version" : `git checkout ${commit} && npm start`;
  const versions = version === release.version ? "" : ` (${version}; this is ${release.version})`;
  return new CommandError(
    `The data in ${folder} is of a later version${versions}: it has migrations that this one does not know. ` +
      "Nothing was changed.\n" +
      `To go on with that data: ${later}\n` +
      `To start this version with data of its own: DATA_DIR=${showPath(`${folder}-of-${release.version}`)} npm start`,
  );
}

/** A path as it can be pasted at the root of the project. */
export function showPath(path: string): string {
  const inside = relative(projectRoot, path);
  return inside.startsWith("..") ? path : inside;
}

function recordFile(folder: string): string {
  return join(folder, "migrations.json");
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
