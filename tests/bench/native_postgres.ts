import type { Backend } from "../support/backend.ts";
import { readMigrations } from "../support/migrated_postgres.ts";
import { createServerDatabase, type ServerDatabase } from "../support/server_database.ts";
import { startServer } from "./measured_process.ts";
import type { MeteredCall } from "./rest_stand_in.ts";

/** A database on a native Postgres, with all migrations. */
export type NativePostgres = ServerDatabase;

/** Creates such a database, of the project or a copy of it. @throws {Error} as `createServerDatabase` does. */
export async function createNativePostgres(server: string, root?: string): Promise<NativePostgres> {
  await using resources = new AsyncDisposableStack();
  const database = resources.use(await createServerDatabase(server));
  for (const { sql } of await readMigrations(root)) await database.query(sql);
  resources.move();
  return database;
}

/** A backend that can say what its calls have cost. */
export type MeteredBackend = Backend & {
  /** The calls since it was last asked, in the order in which they ended. */
  readCalls(): Promise<MeteredCall[]>;
};

/**
 * Starts a stand-in for REST in front of the database.
 *
 * @param options `latency`: milliseconds that it adds to each request; `connections`: how many it has; `settings`: of
 * their sessions, as options of the program `postgres`; `isMetered`: it remembers what each call of a function has cost
 */
export async function startNativeBackend(
  { url: database }: NativePostgres,
  { latency, connections = 10, settings = "", isMetered = false }: {
    latency: number;
    connections?: number;
    settings?: string;
    isMetered?: boolean;
  },
): Promise<MeteredBackend> {
  const secretKey = `sb_secret_${crypto.randomUUID()}`;
  const { url, [Symbol.asyncDispose]: dispose } = await startServer("tests/bench/rest_stand_in.ts", {
    DATABASE_URL: database,
    SECRET_KEY: secretKey,
    LATENCY: String(latency),
    CONNECTIONS: String(connections),
    PGOPTIONS: settings,
    ...isMetered ? { IS_METERED: "yes" } : {},
  });
  const env = {
    SUPABASE_URL: url,
    SUPABASE_SECRET_KEYS: JSON.stringify({ default: secretKey }),
    SUPABASE_PUBLISHABLE_KEYS: "{}",
    SUPABASE_JWKS: JSON.stringify({ keys: [] }),
  };
  async function readCalls(): Promise<MeteredCall[]> {
    return await (await fetch(`${url}/calls`, { headers: { apikey: secretKey } })).json();
  }
  return { url, env, readCalls, [Symbol.asyncDispose]: dispose };
}
