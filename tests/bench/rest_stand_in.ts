/**
 * A substitute for the REST of a project, in its own process. It supports what the service and the bench use: calls of
 * functions, inserts, and deletes by ID. Like PostgREST, it runs each request in a transaction with the role and the
 * claims of the key, on one of a few connections, as a prepared statement.
 *
 * Variables: `DATABASE_URL`, `SECRET_KEY`, `CONNECTIONS` (their number), `LATENCY` (milliseconds added to each
 * request).
 */
import pg from "pg";
import { serveStandingIn } from "./serve_standing_in.ts";

const env = (name: string) => Deno.env.get(name)!;
const [secretKey, latency] = [env("SECRET_KEY"), Number(env("LATENCY"))];
const pool = new pg.Pool({
  connectionString: env("DATABASE_URL"),
  max: Number(env("CONNECTIONS")),
  idleTimeoutMillis: 0,
});

/** The signature of a database function. */
type Signature = { arguments: Record<string, string>; is_set: boolean; is_void: boolean; is_volatile: boolean };

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
  const given = Object.keys(JSON.parse(body));
  const unknown = given.some((argument) => signature?.arguments[argument] === undefined);
  if (signature === undefined || unknown) {
    return Response.json({ code: "PGRST202", message: `No function ${name} (${given})` }, { status: 404 });
  }
  signatures.set(name, signature);
  const columns = given.map((argument) => `"${argument}" ${signature.arguments[argument]}`);
  const record = columns.length > 0
    ? `json_to_record($1::text::json) as given (${columns})`
    : "(select $1::text) as given";
  const called = `public.${name}(${given.map((argument) => `"${argument}" => given."${argument}"`)})`;
  const reply = signature.is_void ? "null" : signature.is_set ? "coalesce(json_agg(result), '[]')" : "to_json(result)";
  return await run({
    statement: `select ${reply}::text as reply from ${record}, lateral ${called} as result`,
    parameter: body,
    isReadOnly: !signature.is_volatile,
  });
}

async function readSignature(name: string): Promise<Signature | undefined> {
  const { rows: [signature] } = await pool.query(
    `select
      (
        select coalesce(json_object_agg(argument.name, format_type(argument.type, null)), '{}')
        from unnest(proargnames[1:pronargs], proargtypes::oid[]) as argument (name, type)
      ) as arguments,
      proretset as is_set,
      prorettype = 'void'::regtype as is_void,
      provolatile = 'v' as is_volatile
    from pg_proc where pronamespace = 'public'::regnamespace and proname = $1`,
    [name],
  );
  return signature;
}

async function insert(name: string, body: string): Promise<Response> {
  const columns = Object.keys(JSON.parse(body)[0]).map((column) => `"${column}"`);
  const rows = `json_populate_recordset(null::public.${name}, $1::text::json)`;
  const stored = `insert into public.${name} (${columns}) select ${columns} from ${rows} returning *`;
  const statement = `with stored as (${stored}) select json_agg(stored)::text as reply from stored`;
  return await run({ statement, parameter: body });
}

// Postgres waits, since a timer of Deno takes a millisecond more than it should. So does Postgres for whole milliseconds.
const wait = Math.max(latency - 0.2, 0) / 1_000;
const settings = `select pg_sleep(${wait}), set_config('role', 'service_role', true),
  set_config('request.jwt.claims', '{"role":"service_role"}', true)`;

/** An error of Postgres. */
type Refusal = { code?: string; message: string; detail?: string; hint?: string };

/** The names of the prepared statements, which each connection prepares when it first needs them. */
const prepared = new Map<string, string>();

/** Runs a statement whose first row has the reply, in a transaction of its own. */
async function run(
  { statement, parameter, isReadOnly = false }: { statement: string; parameter: string; isReadOnly?: boolean },
): Promise<Response> {
  const name = prepared.get(statement) ?? `statement_${prepared.size}`;
  prepared.set(statement, name);
  const connection = await pool.connect();
  try {
    await connection.query(`begin ${isReadOnly ? "read only" : "read write"}; ${settings}`);
    const { rows: [row] } = await connection.query({ name, text: statement, values: [parameter] });
    await connection.query("commit");
    return new Response(row?.reply ?? "null", { headers: { "Content-Type": "application/json; charset=utf-8" } });
  } catch (error) {
    await connection.query("rollback");
    const { code = "XX000", message, detail = null, hint = null } = error as Refusal;
    const [, status = 400] = /^PT(\d{3})$/.exec(code) ?? [];
    return Response.json({ code, message, details: detail, hint }, { status: Number(status) });
  } finally {
    connection.release();
  }
}
