import { join } from "deno-std/path/mod.js";
import { type Backend, makeMigratedFolder, startBackend } from "../support/backend.ts";

/** Runs one file after the other, on a Supabase that no other lane uses. */
export type Lane = AsyncDisposable & {
  /** The variables that lead tests to its Supabase, which starts when they are read first. */
  env(): Promise<Record<string, string>>;
};

/**
 * Makes lanes whose backends begin with the same data folder: the first to need it applies all migrations to it, the
 * others get copies.
 *
 * @param folder the run's own
 * @param joined a Supabase that runs already, for a lane alone
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
