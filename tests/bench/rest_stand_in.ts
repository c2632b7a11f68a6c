/**
 * A substitute for the REST of a project, in its own process. It supports what the service and the bench use: calls of
 * functions, inserts, and deletes by ID. Like PostgREST, it runs each request in a transaction with the role and the
 * claims of the key, on one of a few connections, as a prepared statement.
 *
 * Variables: `DATABASE_URL`, `SECRET_KEY`, `CONNECTIONS` (their number), `LATENCY` (milliseconds added to each
 * request). With `IS_METERED`, `GET /calls` returns what the calls of functions since the last one have cost, as
 * {@link MeteredCall}.
 */
import pg from "pg";
import { readCpuTime } from "../../supabase/platform/edge_runtime/cpu_time.ts";
import {
  sendError,
  sendReply,
  type Signature,
  signaturesQuery,
  writeCall,
} from "../../supabase/platform/function_calls.ts";
import { serveStandingIn } from "./serve_standing_in.ts";

const env = (name: string) => Deno.env.get(name)!;
const [secretKey, latency] = [env("SECRET_KEY"), Number(env("LATENCY"))];
const pool = new pg.Pool({
  connectionString: env("DATABASE_URL"),
  max: Number(env("CONNECTIONS")),
  idleTimeoutMillis: 0,
});

/** What a call of a function has cost in Postgres. */
export type MeteredCall = {
  name: string;
  body: string;
  /** Milliseconds of its session. */
  cpu: number;
  /** Statements that were executed, where `auto_explain` writes a notice of each. */
  statements: number;
  /** Functions that were called, where Postgres counts them. */
  functions: number;
};

const isMetered = Deno.env.has("IS_METERED");
const metered: MeteredCall[] = [];
/** The number of notices so far, by the session's process. */
const notices = new Map<number, number>();
pool.on("connect", (session: Session) => {
  session.on("notice", () => notices.set(session.processID, (notices.get(session.processID) ?? 0) + 1));
});

/** A connection to Postgres. */
type Session = {
  processID: number;
  query(statement: string): Promise<{ rows: Record<string, number>[] }>;
  on(event: "notice", listen: () => void): void;
};

/** The functions that have been called, by name. */
const signatures = new Map<string, Signature>();

serveStandingIn(async (request) => {
  if (request.headers.get("apikey") !== secretKey) return Response.json({ message: "No such key" }, { status: 401 });
  const { pathname, searchParams } = new URL(request.url);
  if (pathname === "/calls") return Response.json(metered.splice(0));
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
    return await run({ opening: `${begin}; ${set}`, statement: text, parameter: body, metered: name });
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

/** With one connection: the embedded Postgres of the tests answers twice to a prepared statement that fails. */
const isEmbedded = Deno.env.get("CONNECTIONS") === "1" && !isMetered;

/** The names of the prepared statements, which each connection prepares when it first needs them. */
const prepared = new Map<string, string>();

/** Runs a statement whose first row has the reply, in a transaction of its own. */
async function run(
  { opening = asService, statement, parameter, metered }: {
    opening?: string;
    statement: string;
    parameter: string;
    /** The name of the function that is called. */
    metered?: string;
  },
): Promise<Response> {
  const name = prepared.get(statement) ?? `statement_${prepared.size}`;
  prepared.set(statement, name);
  const connection = await pool.connect();
  try {
    await connection.query(`${opening}; ${wait}`);
    const meter = isMetered && metered !== undefined ? await startMeter(connection) : null;
    const { rows: [row] } = await connection.query(
      isEmbedded
        ? statement.replaceAll("$1", () => pg.escapeLiteral(parameter))
        : { name, text: statement, values: [parameter] },
    );
    await meter?.stop({ name: metered!, body: parameter });
    await connection.query("commit");
    return sendReply(row?.reply ?? "null");
  } catch (error) {
    await connection.query("rollback");
    return sendError(error);
  } finally {
    connection.release();
  }
}

/** Begins to count what a session does. */
async function startMeter(session: Session): Promise<{
  /** Keeps what it has done since. */
  stop(call: Pick<MeteredCall, "name" | "body">): Promise<void>;
}> {
  const readUsed = async () => ({
    cpu: await readCpuTime(session.processID) ?? NaN,
    statements: notices.get(session.processID) ?? 0,
  });
  // Counts of the session that Postgres has not added to the others yet: of earlier transactions, too.
  const countFunctions = async () => {
    const counted = "select coalesce(sum(calls), 0)::integer as count from pg_stat_xact_user_functions";
    return (await session.query(counted)).rows[0]!.count!;
  };
  const functions = await countFunctions();
  const before = await readUsed();
  return {
    async stop(call) {
      const after = await readUsed();
      metered.push({
        ...call,
        cpu: after.cpu - before.cpu,
        statements: after.statements - before.statements,
        functions: await countFunctions() - functions,
      });
    },
  };
}
