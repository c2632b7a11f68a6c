import pg from "pg";
import { createServerDatabase } from "./server_database.ts";
import { describeOwner } from "./supabase_project.ts";

type Query = <Row = Record<string, unknown>>(sql: string, parameters?: unknown[]) => Promise<Row[]>;

/** A database on a native Postgres whose owner, as on a hosted project, is not a superuser. */
export type OwnedDatabase = AsyncDisposable & {
  /** Its address, as the owner. */
  url: string;
  /** Runs statements as the owner. */
  query: Query;
  /** Runs statements as the superuser. */
  asSuperuser: Query;
};

/** Creates such a database, without the migrations, on a server on this machine, of which `server` is a superuser. */
export async function createOwnedDatabase(server: string): Promise<OwnedDatabase> {
  await using resources = new AsyncDisposableStack();
  const ask = async (url: string, sql: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  const owner = `owner_${crypto.randomUUID().replaceAll("-", "")}`;
  // After the database, which belongs to it.
  resources.defer(() => ask(server, `drop role if exists ${owner}`));
  const database = resources.use(await createServerDatabase(server));
  const password = crypto.randomUUID();
  await database.query(`${describeOwner(owner)}; alter role ${owner} login password '${password}'`);
  const url = Object.assign(new URL(database.url), { username: owner, password }).href;
  const pool = new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0 });
  pool.on("error", () => {});
  resources.defer(() => pool.end());
  const owned = resources.move();
  return {
    url,
    query: async (sql, parameters) => [await pool.query(sql, parameters)].flat().at(-1)!.rows,
    asSuperuser: database.query,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
