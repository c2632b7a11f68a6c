/**
 * A substitute for the REST of a project, in its own process. It supports what the service and the bench use: calls of
 * functions, inserts, and deletes by ID. Like PostgREST, it runs each request in a transaction with the role and the
 * claims of the key, on one of a few connections, as a prepared statement.
 *
 * Variables: `DATABASE_URL`, `SECRET_KEY`, `CONNECTIONS` (their number), `LATENCY` (milliseconds added to each
 * request).
 */
import pg from "pg";
import {
  sendError,
  sendReply,
  type Signature,
  signaturesQuery,
  writeCall,
} from "../../supabase/commands/local/function_calls.ts";
import { serveStandingIn } from "./serve_standing_in.ts";

const env = (name: string) => Deno.env.get(name)!;
const [secretKey, latency] = [env("SECRET_KEY"), Number(env("LATENCY"))];
const pool = new pg.Pool({
  connectionString: env("DATABASE_URL"),
  max: Number(env("CONNECTIONS")),
  idleTimeoutMillis: 0,
});

/** The functions that have been called, by name. */
const signatures = new Map<string, Signature>();

serveStandingIn(async (request) => {
  if (request.headers.get("apikey") !== secretKey) return Response.json({ message: "No such key" }, { status: 401 });
  const { pathname, searchParams } = new URL(request.url);
  const [, isCall, name = ""] = /^\/rest\/v1\/(rpc\/)?(\w+)$/.exec(pathname) ?? [];
  const body = await request.text();
  switch (`${request.method} ${isCall ? "function" : "table"}`) {
    case "POST function":
      return await call(name, body);
    case "POST table":
      return await insert(name, body);
    case "DELETE table": {
      const id = searchParams.get("id")?.replace(/^eq\./, "") ?? "";
      return await run({ statement: `delete from public.${name} where id = $1 returning null`, parameter: id });
    }
  }
  return Response.json({ code: "PGRST117", message: "Not in this stand-in" }, { status: 405 });
});

async function call(name: string, body: string): Promise<Response> {
  const signature = signatures.get(name) ?? await readSignature(name);
  if (signature !== undefined) signatures.set(name, signature);
  try {
    const { begin, settings, text } = writeCall(signature, name, body);
    const values = settings.values.map((value) => pg.escapeLiteral(value));
    const set = settings.text.replace(/\$(\d+)/g, (_, number) => values[number - 1]!);
    return await run({ opening: `${begin}; ${set}`, statement: text, parameter: body });
  } catch (error) {
    return sendError(error);
  }
}

async function readSignature(name: string): Promise<Signature | undefined> {
  const { rows }: { rows: Signature[] } = await pool.query(`${signaturesQuery} and proname = $1`, [name]);
  return rows[0];
}

async function insert(name: string, body: string): Promise<Response> {
  const columns = Object.keys(JSON.parse(body)[0]).map((column) => `"${column}"`);
  const rows = `json_populate_recordset(null::public.${name}, $1::text::json)`;
  const stored = `insert into public.${name} (${columns}) select ${columns} from ${rows} returning *`;
  const statement = `with stored as (${stored}) select json_agg(stored)::text as reply from stored`;
  return await run({ statement, parameter: body });
}

// Postgres waits, since a timer of Deno takes a millisecond more than it should. So does Postgres for whole milliseconds.
const wait = `select pg_sleep(${Math.max(latency - 0.2, 0) / 1_000})`;
const asService = "begin; set local role service_role";

/** The names of the prepared statements, which each connection prepares when it first needs them. */
const prepared = new Map<string, string>();

/** Runs a statement whose first row has the reply, in a transaction of its own. */
async function run(
  { opening = asService, statement, parameter }: { opening?: string; statement: string; parameter: string },
): Promise<Response> {
  const name = prepared.get(statement) ?? `statement_${prepared.size}`;
  prepared.set(statement, name);
  const connection = await pool.connect();
  try {
    await connection.query(`${opening}; ${wait}`);
    const { rows: [row] } = await connection.query({ name, text: statement, values: [parameter] });
    await connection.query("commit");
    return sendReply(row?.reply ?? "null");
  } catch (error) {
    await connection.query("rollback");
    return sendError(error);
  } finally {
    connection.release();
  }
}
