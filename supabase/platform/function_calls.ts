import type { PGlite } from "@electric-sql/pglite";
import type { Session } from "./share_session.ts";

/**
 * Calls of SQL functions over REST, as PostgREST 14 carries them out: the statements, their transaction and the status
 * of an error. (PostgREST's PreQuery.hs, QueryBuilder.hs and Error.hs.)
 */

/** A function of the schema `public`, as {@link signaturesQuery} describes it. */
export type Signature = {
  name: string;
  arguments: Record<string, string>;
  /** The arguments that a call must have. */
  required: string[];
  /** It returns rows rather than a value. */
  is_set: boolean;
  is_void: boolean;
  is_volatile: boolean;
  /** Those of its settings that hold for the whole transaction, and the settings of the role that calls it. */
  settings: Record<string, string>;
};

/** Lists the functions of the schema `public`. */
export const signaturesQuery = `
  select
    routine.proname as name,
    (
      select coalesce(json_object_agg(argument.name, format_type(argument.type, null)), '{}')
      from unnest(proargnames[1:pronargs], proargtypes::oid[]) as argument (name, type)
    ) as arguments,
    coalesce(to_json(proargnames[1:pronargs - pronargdefaults]), '[]') as required,
    proretset as is_set,
    prorettype = 'void'::regtype as is_void,
    provolatile = 'v' as is_volatile,
    (
      select coalesce(json_object_agg(split_part(setting, '=', 1), substr(setting, strpos(setting, '=') + 1)), '{}')
      from (
        select unnest(rolconfig) from pg_roles where rolname = 'service_role'
        union all select setting from unnest(proconfig) as setting where setting like 'statement_timeout=%'
      ) as held (setting)
    ) as settings
  from pg_proc as routine
  where pronamespace = 'public'::regnamespace and prokind = 'f'`;

/** The statements of a transaction with one call. The only value of the call itself is the body. */
type Call = { begin: string; settings: { text: string; values: string[] }; text: string };

/** A call that PostgREST refuses without asking Postgres. */
class CallError extends Error {
  constructor(readonly status: number, readonly code: string, message: string) {
    super(message);
  }
}

/**
 * Writes the call that a body asks for. Its statement replies one row, with the JSON of the reply as `reply`.
 *
 * @throws {CallError} when there is no such function, or the body is no JSON object.
 */
export function writeCall(signature: Signature | undefined, name: string, body: string): Call {
  const given = readNames(body);
  const isKnown = signature !== undefined && given.every((argument) => argument in signature.arguments) &&
    signature.required.every((argument) => given.includes(argument));
  if (!isKnown) {
    const message = `Could not find the function public.${name}(${given.join(", ")}) in the schema cache`;
    throw new CallError(404, "PGRST202", message);
  }
  const columns = given.map((argument) => `"${argument}" ${signature.arguments[argument]}`);
  const values = given.map((argument) => `"${argument}" => given."${argument}"`);
  const called = `public."${name}"(${values.join(", ")})`;
  const from = columns.length === 0
    ? "(select $1::text) as given"
    : `json_to_record($1::text::json) as given (${columns.join(", ")})`;
  // Named as PostgREST names it: an argument may be called `result`.
  const reply = signature.is_void
    ? "''"
    : signature.is_set
    ? "coalesce(json_agg(pgrst_call), '[]')::text"
    : "coalesce(to_json(pgrst_call)::text, 'null')";
  const settings = Object.entries({
    search_path: '"public", "extensions"',
    role: "service_role",
    "request.jwt.claims": '{"role":"service_role"}',
    "request.method": "POST",
    "request.path": `/rpc/${name}`,
    ...signature.settings,
  });
  return {
    begin: `begin isolation level read committed ${signature.is_volatile ? "read write" : "read only"}`,
    settings: {
      text: `select ${settings.map((_, index) => `set_config($${2 * index + 1}, $${2 * index + 2}, true)`).join(", ")}`,
      values: settings.flat(),
    },
    text: `select ${reply} as reply from ${from}, lateral ${called} as pgrst_call`,
  };
}

/** The names of the arguments that a body has. @throws {CallError} when it is no JSON object. */
function readNames(body: string): string[] {
  try {
    const given: unknown = body === "" ? {} : JSON.parse(body);
    if (typeof given === "object" && given !== null && !Array.isArray(given)) return Object.keys(given);
  } catch {
    // Not JSON.
  }
  throw new CallError(400, "PGRST102", "Empty or invalid json");
}

/** The reply to a call that was carried out: a function that returns nothing has an empty one. */
export function sendReply(reply: string): Response {
  if (reply === "") return new Response(null, { status: 204 });
  return new Response(reply, { headers: { "Content-Type": "application/json; charset=utf-8" } });
}

/** What Postgres says of an error. */
type PostgresError = { code?: string; message: string; detail?: string; hint?: string };

/** The reply to a call that failed. */
export function sendError(error: unknown): Response {
  if (error instanceof CallError) {
    const { status, code, message } = error;
    return Response.json({ code, message, details: null, hint: null }, { status });
  }
  const { code = "XX000", message, detail = null, hint = null } = error as PostgresError;
  return Response.json({ code, message, details: detail, hint }, { status: statusOf(code) });
}

/** The statuses of SQLSTATEs and their classes; the first that fits counts. */
const statuses: [pattern: RegExp, status: number][] = [
  [/^(?:08|57P01|53(?!400))/, 503],
  [/^(?:0L|0P|28|42501)/, 403],
  [/^(?:23503|23505)/, 409],
  [/^25006/, 405],
  [/^(?:42883|42P01)/, 404],
  [/^P0001/, 400],
  [/^(?:09|21|25|2D|38|39|3B|40|53|54|55|57|58|F0|HV|P0|XX|42P17)/, 500],
];

function statusOf(code: string): number {
  const [, chosen] = /^PT(\d{3})$/.exec(code) ?? [];
  return Number(chosen) || (statuses.find(([pattern]) => pattern.test(code))?.[1] ?? 400);
}

/**
 * Answers the service's calls of SQL functions as PostgREST does. Lite takes twice as long for a call, and knows neither
 * read-only transactions nor the settings of functions; all other requests are left to it.
 *
 * @param fetch lite's own handler
 */
export async function answerCalls(
  fetch: (request: Request) => Promise<Response>,
  { postgres, session, secretKey }: { postgres: PGlite; session: Session; secretKey: string },
): Promise<(request: Request) => Promise<Response>> {
  const { rows } = await postgres.query<Signature>(signaturesQuery);
  const signatures = new Map(rows.map((signature) => [signature.name, signature]));

  function isOfService({ headers }: Request): boolean {
    return headers.get("apikey") === secretKey &&
      [null, `Bearer ${secretKey}`].includes(headers.get("Authorization"));
  }

  async function call(name: string, body: string): Promise<Response> {
    try {
      const { begin, settings, text } = writeCall(signatures.get(name), name, body);
      const { rows: [row] } = await session.transact([{ text: begin }, settings], { text, values: [body] });
      return sendReply((row as { reply: string }).reply);
    } catch (error) {
      return sendError(error);
    }
  }

  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const [, name] = /^\/rest\/v1\/rpc\/(\w+)$/.exec(pathname) ?? [];
    const isCall = name !== undefined && request.method === "POST" && search === "" && isOfService(request);
    return isCall ? await call(name, await request.text()) : await session.answer(() => fetch(request));
  };
}
