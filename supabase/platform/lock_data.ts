import { join } from "node:path";
import { CommandError } from "../commands/command_error.ts";

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
