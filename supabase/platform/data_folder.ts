import { join } from "node:path";
import { CommandError } from "../commands/command_error.ts";

/** Windows has no such modes; there a folder in the user's own is closed to others. */
const hasModes = Deno.build.os !== "windows";
const forOthers = 0o077;

/** Makes everything that this process and those it starts write from now on unreadable to other users. */
export function closeNewFiles(): void {
  if (hasModes) Deno.umask(forOthers);
}

/**
 * Closes an existing data folder to other users.
 *
 * @returns whether it was open.
 * @throws {CommandError} if it is a file, belongs to another user, or is open and contains other files.
 */
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

/**
 * Locks a data folder until the file is closed or this process ends: two processes on one Postgres folder destroy it.
 *
 * @returns null when another process holds the lock.
 */
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
