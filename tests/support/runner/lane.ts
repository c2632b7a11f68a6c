import { join } from "node:path";
import { type Backend, makeMigratedFolder, startBackend } from "../backend.ts";

/** Runs one file after the other, on a Supabase that no other lane uses. */
export type Lane = AsyncDisposable & {
  /** The variables with which tests find its Supabase, which starts when they are first read. */
  env(): Promise<Record<string, string>>;
};

/**
 * Creates lanes whose backends start from the same data folder: the first backend applies all migrations to it, the
 * others get copies.
 *
 * @param folder the folder of the run
 * @param joined a running Supabase to use instead, with a single lane
 */
export function createLanes(count: number, { folder, joined }: { folder: string; joined: Backend | null }): Lane[] {
  let migrated: Promise<string> | undefined;
  async function makeMigrated() {
    const path = join(folder, "migrated");
    await makeMigratedFolder(path);
    return path;
  }
  return Array.from({ length: count }, () => {
    let backend: Promise<Backend> | undefined;
    return {
      async env() {
        migrated ??= joined === null ? makeMigrated() : undefined;
        backend ??= joined === null ? startBackend(await migrated) : Promise.resolve(joined);
        return (await backend).env;
      },
      [Symbol.asyncDispose]: async () => await (await backend)?.[Symbol.asyncDispose](),
    };
  });
}
