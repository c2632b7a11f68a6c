import type { Backend } from "../support/backend.ts";
import { readMigrations } from "../support/migrated_postgres.ts";
import { createServerDatabase, type ServerDatabase } from "../support/server_database.ts";
import { startServer } from "./measured_process.ts";

/** A database on a native Postgres, with all migrations. */
export type NativePostgres = ServerDatabase;

/** Creates such a database. @throws {Error} as `createServerDatabase` does. */
export async function createNativePostgres(server: string): Promise<NativePostgres> {
  await using resources = new AsyncDisposableStack();
  const database = resources.use(await createServerDatabase(server));
  for (const { sql } of await readMigrations()) await database.query(sql);
  resources.move();
  return database;
}

/**
 * Starts a stand-in for REST in front of the database.
 *
 * @param options `latency`: milliseconds that it adds to each request; `connections`: how many it has; `settings`: of
 * their sessions, as options of the program `postgres`
 */
export async function startNativeBackend(
  { url: database }: NativePostgres,
  { latency, connections = 10, settings = "" }: { latency: number; connections?: number; settings?: string },
): Promise<Backend> {
  const secretKey = `sb_secret_${crypto.randomUUID()}`;
  const { url, [Symbol.asyncDispose]: dispose } = await startServer("tests/bench/rest_stand_in.ts", {
    DATABASE_URL: database,
    SECRET_KEY: secretKey,
    LATENCY: String(latency),
    CONNECTIONS: String(connections),
    PGOPTIONS: settings,
  });
  const env = {
    SUPABASE_URL: url,
    SUPABASE_SECRET_KEYS: JSON.stringify({ default: secretKey }),
    SUPABASE_PUBLISHABLE_KEYS: "{}",
    SUPABASE_JWKS: JSON.stringify({ keys: [] }),
  };
  return { url, env, [Symbol.asyncDispose]: dispose };
}
