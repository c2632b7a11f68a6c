import pg from "pg";
import { createNativePostgres } from "../bench/native_postgres.ts";

/** A database with all migrations, and calls that any of many connections carries out. */
export type RacingDatabase = AsyncDisposable & {
  pool: pg.Pool;
  /** The first value of the first row. */
  // deno-lint-ignore no-explicit-any
  value(sql: string, parameters?: unknown[]): Promise<any>;
};

/** Creates such a database on a native Postgres: on the embedded one, which has one connection, there are no races. */
export async function createRacingDatabase(server: string, connections: number): Promise<RacingDatabase> {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await createNativePostgres(server));
  const pool = new pg.Pool({ connectionString: database.url, max: connections });
  // When the database is dropped, the server may be quicker than the pool.
  pool.on("error", () => {});
  stack.defer(() => pool.end());
  const resources = stack.move();
  return {
    pool,
    value: async (sql, parameters = []) => Object.values((await pool.query(sql, parameters)).rows[0] ?? {})[0],
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
