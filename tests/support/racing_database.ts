import pg from "pg";
import { createNativePostgres } from "../bench/native_postgres.ts";

/** A database with all migrations, and calls that any of many connections carries out. */
export type RacingDatabase = AsyncDisposable & {
  pool: pg.Pool;
  /** The first value of the first row. */
  // deno-lint-ignore no-explicit-any
  value(sql: string, parameters?: unknown[]): Promise<any>;
};

/** An account with two coaches and two keys. */
export type RacingTenant = { accountId: string; coaches: string[]; keys: { id: string; api_key: string }[] };

/** Inserts an account with two coaches and two keys. `fields`: further columns of the coaches. */
export async function insertTenant(
  { value }: Pick<RacingDatabase, "value">,
  { requestsPerMinute, fields = {} }: { requestsPerMinute: number; fields?: Record<string, unknown> },
): Promise<RacingTenant> {
  const accountId = await value("insert into accounts (name) values ('Test') returning id");
  const tenant: RacingTenant = { accountId, coaches: [], keys: [] };
  for (const name of ["one", "two"]) {
    const coach = { account_id: accountId, name, title: "Coach", instructions: "Teach.", ...fields };
    const columns = Object.keys(coach).join(", ");
    tenant.coaches.push(
      await value(
        `insert into coach_profiles (${columns})
         select ${columns} from jsonb_populate_record(null::coach_profiles, $1) returning id`,
        [JSON.stringify(coach)],
      ),
    );
    const key = [accountId, name, requestsPerMinute];
    tenant.keys.push(await value("select issue_api_key($1, $2, requests_per_minute => $3)", key));
  }
  return tenant;
}

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
