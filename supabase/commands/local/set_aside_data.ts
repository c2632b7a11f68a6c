import { join } from "node:path";
import { sha256Hex } from "../../../shared/core/auth/sha256_hex.ts";
import { CommandError } from "../command_error.ts";
import { errorMessage } from "../error_message.ts";
import { lockData } from "./lock_data.ts";
import { projectRoot } from "./state.ts";

/** The folder of the migrations, and the current time. */
type Options = { migrations?: string; now?: Date };

/**
 * Makes sure that the database in a data folder, if there is one, was created by the current migrations. Otherwise, the
 * whole folder is renamed, and an empty one replaces it. Until v1.0.0 the migrations are edited in place, so an
 * existing database cannot be brought up to date.
 *
 * @returns where the old data is now; null when there was none or it can stay.
 * @throws {CommandError} when a stack runs on the old data, or it cannot be moved.
 */
export async function setAsideOldData(
  folder: string,
  { migrations = join(projectRoot, "supabase/migrations"), now = new Date() }: Options = {},
): Promise<string | null> {
  const fingerprint = await fingerprintMigrations(migrations);
  if (await readFingerprint(folder) === fingerprint) return null;
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  using lock = await lockData(folder);
  if (lock === null) throw stackIsRunning(folder);
  // Another start may have done this in the meantime.
  if (await readFingerprint(folder) === fingerprint) return null;
  const setAside = await exists(join(folder, "postgres")) ? await moveAside(folder, now, lock) : null;
  // Written before the database is created: if that is interrupted, the next start continues with the remaining
  // migrations.
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  await Deno.writeTextFile(fingerprintFile(folder), fingerprint);
  return setAside;
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
