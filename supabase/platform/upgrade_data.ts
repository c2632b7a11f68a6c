import { cp } from "node:fs/promises";
import { join } from "node:path";
import { CommandError, errorMessage } from "../commands/command_error.ts";
import { describeData, lockData, readMigrationFiles, stackIsRunning } from "./data_folder.ts";
import { projectRoot } from "./state.ts";

const program = join(import.meta.dirname!, "migrate_data.ts");

/** The folders of the database during an upgrade. */
const foldersIn = (folder: string) => ({
  present: join(folder, "postgres"),
  next: join(folder, "postgres.next"),
  last: join(folder, "postgres.last"),
});

/**
 * Brings the database in a data folder up to date. The migrations are applied to a copy, which then takes its place, so
 * that a migration that fails leaves the database as it was. Nothing else in the folder changes.
 *
 * @param root the project with the migrations
 * @returns null when it is done, otherwise why a migration failed
 * @throws {CommandError} when another process uses the folder, or the database cannot be copied.
 */
export async function upgradeData(folder: string, root: string = projectRoot): Promise<string | null> {
  using lock = await lockData(folder);
  if (lock === null) throw stackIsRunning(folder);
  const { present, next, last } = foldersIn(folder);
  const migrations = join(root, "supabase/migrations");
  await removeFolder(next);
  await removeFolder(last);
  try {
    await cp(present, next, { recursive: true, mode: 0, preserveTimestamps: true });
  } catch (error) {
    await removeFolder(next);
    throw new CommandError(`The data in ${folder} cannot be copied, so it was not upgraded: ${errorMessage(error)}`);
  }
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "-A", program],
    cwd: root,
    env: { DATA_DIR: folder, POSTGRES_FOLDER: next },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).output();
  if (!success) {
    await removeFolder(next);
    return new TextDecoder().decode(stderr).trim();
  }
  // The record comes first: an older checkout is then refused, whatever happens from here on.
  await describeData(folder, migrations, await readMigrationFiles(migrations));
  await Deno.rename(present, last);
  await Deno.rename(next, present);
  await removeFolder(last);
  return null;
}

/** Puts the database back that an upgrade was about to replace when it was interrupted. */
export async function restoreInterrupted(folder: string): Promise<void> {
  const { present, last } = foldersIn(folder);
  if (await exists(present) || !await exists(last)) return;
  await Deno.rename(last, present);
}

async function exists(path: string): Promise<boolean> {
  return await Deno.lstat(path).then(() => true, () => false);
}

async function removeFolder(path: string): Promise<void> {
  await Deno.remove(path, { recursive: true }).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
}
