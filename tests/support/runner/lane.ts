import { type Backend, migratedFolder, startBackend } from "../backend.ts";

/** Runs one file after the other, on a Supabase that no other lane uses. */
export type Lane = AsyncDisposable & {
  /** The variables with which tests find its Supabase, which starts when they are first read. */
  env(): Promise<Record<string, string>>;
};

/**
 * Creates lanes, each with a backend on a copy of the migrated data folder.
 *
 * @param joined a running Supabase to use instead, with a single lane
 */
export function createLanes(count: number, { joined }: { joined: Backend | null }): Lane[] {
  return Array.from({ length: count }, () => {
    let backend: Promise<Backend> | undefined;
    return {
      async env() {
        backend ??= joined === null ? migratedFolder().then(startBackend) : Promise.resolve(joined);
        return (await backend).env;
      },
      [Symbol.asyncDispose]: async () => await (await backend)?.[Symbol.asyncDispose](),
    };
  });
}
