import pg from "pg";
import { fieldsOf } from "../../../shared/libs/base/fields_of.ts";
import { CommandError, errorMessage } from "../command_error.ts";
import type { copyIn, copyOut } from "./copy_rows.ts";

/** Runs a statement and returns its rows. */
export type Query = <Row = Record<string, unknown>>(sql: string, parameters?: unknown[]) => Promise<Row[]>;

/** One connection to a database. */
export type Connection = AsyncDisposable & {
  query: Query;
  /** Starts a COPY. */
  copy: <Copy extends ReturnType<typeof copyIn | typeof copyOut>>(copy: Copy) => Copy;
};

/** Connects to a database, without any time limit of its own. @throws {CommandError} that says what to do. */
export async function openDatabase(url: URL): Promise<Connection> {
  const client = new pg.Client({ connectionString: url.href, connectionTimeoutMillis: 20_000, keepAlive: true });
  // A connection that breaks also fails the statement that is running.
  client.on("error", () => {});
  try {
    await client.connect();
  } catch (error) {
    await client.end().catch(() => {});
    throw new CommandError(explainConnection(error, url));
  }
  const query: Query = async (sql, parameters) => (await client.query(sql, parameters)).rows;
  await query("set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set client_encoding = 'UTF8'");
  return { query, copy: (copy) => client.query(copy), [Symbol.asyncDispose]: () => client.end() };
}

/** Explains why a database cannot be connected to, and what to do. */
export function explainConnection(error: unknown, { hostname, port, username }: URL): string {
  const code = String(fieldsOf(error).code);
  const reason = errorMessage(error) || code;
  if (["28P01", "28000"].includes(code) || /client password must be a string/.test(reason)) {
    return `The database at ${hostname} did not accept the password of ${decodeURIComponent(username)}.\n` +
      "Set SUPABASE_DB_PASSWORD to it. A new one can be set in the dashboard, under Database > Settings.";
  }
  if (/does not support SSL/.test(reason)) {
    return `The database at ${hostname} has no TLS: use another address, or add ?sslmode=disable to this one.`;
  }
  const isDirect = /^db\.[a-z]{20}\.supabase\.co$/.test(hostname);
  return `The database at ${hostname}:${port || 5432} cannot be reached: ${reason}` +
    (isDirect
      ? "\nThis address needs IPv6. If you have none, set DATABASE_URL to the address of the session pooler: it is in\n" +
        "the dashboard under Connect."
      : "");
}
