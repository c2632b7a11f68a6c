import pg from "pg";
import { requireThisMachine } from "./running_project.ts";
import { apiRoles, describeProject } from "./supabase_project.ts";

/** A database on a native Postgres. Disposing of it drops it. */
export type ServerDatabase = AsyncDisposable & {
  /** Its address, as the role that made it. */
  url: string;
  /** Runs a statement, or several without parameters, and returns the rows. */
  query: Query;
};

type Query = <Row = Record<string, unknown>>(sql: string, parameters?: unknown[]) => Promise<Row[]>;

const prefix = "human_intelligence_chat_";

/**
 * Creates a database with everything that a Supabase project has, but without the migrations, on a server on this
 * machine. Its role must be allowed to create databases, roles and extensions.
 *
 * @throws {Error} for another machine, and if the server lacks pgvector.
 */
export async function createServerDatabase(server: string): Promise<ServerDatabase> {
  requireThisMachine(server, ["postgres:", "postgresql:"]);
  // Nothing else of the query: it could name another host.
  const sslmode = new URL(server).searchParams.get("sslmode");
  const search = sslmode === null ? "" : String(new URLSearchParams({ sslmode }));
  await using resources = new AsyncDisposableStack();
  const connect = (max: number, name?: string) => {
    const url = Object.assign(new URL(server), { search }, name === undefined ? {} : { pathname: `/${name}` }).href;
    // Connections stay open: they show that the database is in use.
    const pool = new pg.Pool({ connectionString: url, max, idleTimeoutMillis: 0 });
    // A connection that breaks while it is idle: when the database is dropped, the server may be quicker than the pool.
    pool.on("error", () => {});
    resources.defer(() => pool.end());
    const query: Query = async (sql, parameters) => (await pool.query(sql, parameters)).rows;
    return { url, query };
  };

  const { query: ask } = connect(1);
  // What interrupted runs have left behind. The lock ends when the new database is in use.
  await ask("select pg_advisory_lock(hashtext($1))", [prefix]);
  const unused = await ask<{ name: string }>(
    `select datname as name from pg_database
     where starts_with(datname, $1) and not exists (select from pg_stat_activity as activity where activity.datid = oid)`,
    [prefix],
  );
  for (const { name } of unused) await ask(`drop database if exists ${name}`);

  const present = await ask<{ rolname: string }>("select rolname from pg_roles");
  const newRoles = apiRoles.filter((role) => !present.some(({ rolname }) => rolname === role));
  const name = prefix + crypto.randomUUID().replaceAll("-", "");
  await ask(`create database ${name}`);
  resources.defer(async () => {
    await ask(`drop database ${name} with (force)`);
    for (const role of newRoles) await ask(`drop role ${role}`);
  });

  const { url, query } = connect(4, name);
  await query(describeProject({ hasOwner: false }));
  await ask("select pg_advisory_unlock(hashtext($1))", [prefix]);
  const owned = resources.move();
  return { url, query, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
