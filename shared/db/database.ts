import type { Database as Schema } from "./database_types.ts";

type Functions = Schema["public"]["Functions"];
export type FunctionName = keyof Functions & string;

/** Arguments of a SQL function. The generated types do not know that any argument may be null. */
export type FunctionArgs<Name extends FunctionName> = {
  [Key in keyof Functions[Name]["Args"]]: Functions[Name]["Args"][Key] | null;
};

/** The SQL functions that the service calls, with their arguments, as the generated types know them. */
export interface Database {
  /**
   * Calls a SQL function and returns its result as parsed JSON.
   *
   * @throws {DatabaseError} when it fails or does not answer in time.
   */
  call<Name extends FunctionName>(name: Name, args: FunctionArgs<Name>): Promise<unknown>;
  /** As `call`, but returns the bytes of the JSON, for replies that are passed on as Postgres built them. */
  callForBytes<Name extends FunctionName>(name: Name, args: FunctionArgs<Name>): Promise<Uint8Array<ArrayBuffer>>;
}

/** A call that failed. It carries the SQLSTATE or HTTP status, never the query or its data. */
export class DatabaseError extends Error {
  override name = "DatabaseError";

  constructor(functionName: string, readonly code: string | number | undefined, cause?: unknown) {
    super(`Cannot call ${functionName}`, { cause });
  }
}

/** Codes that tell of a lost connection, a lost race or a server that stops; every other is a refusal. */
const passingCodes = /^(?:08|40|57P|PGRST00)/;

/**
 * Calls a function that may arrive twice, and once more where the first call broke off or timed out: nobody knows then
 * whether it was carried out.
 *
 * @throws {DatabaseError} as `Database.call` does.
 */
export async function callRepeatable<Name extends FunctionName>(
  database: Database,
  name: Name,
  args: FunctionArgs<Name>,
): Promise<unknown> {
  try {
    return await database.call(name, args);
  } catch (error) {
    const { code } = error as DatabaseError;
    if (typeof code === "string" && !passingCodes.test(code)) throw error;
    return await database.call(name, args);
  }
}

/** What shows a project's secret key to its REST and Storage. Keys of the old kind are tokens, and tell the role only as a bearer. */
export function secretKeyHeaders(secretKey: string): Record<string, string> {
  return { apikey: secretKey, ...(secretKey.startsWith("eyJ") ? { Authorization: `Bearer ${secretKey}` } : {}) };
}

/**
 * A database behind PostgREST. Plain `fetch` instead of a client library: the verbs only ever call functions, the
 * lists pass bytes on unread, and a library's query builder would cost more than all the rest of a call.
 */
export function createDatabase(env: { supabaseUrl: string; secretKey: string }, timeout: number): Database {
  const headers = { ...secretKeyHeaders(env.secretKey), "Content-Type": "application/json" };

  async function send(name: string, args: unknown): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(`${env.supabaseUrl}/rest/v1/rpc/${name}`, {
        method: "POST",
        headers,
        body: JSON.stringify(args),
        signal: AbortSignal.timeout(timeout),
      });
    } catch (cause) {
      throw new DatabaseError(name, undefined, cause);
    }
    if (response.ok) return response;
    const { code } = await response.json().catch(() => ({})) as { code?: string };
    throw new DatabaseError(name, code ?? response.status);
  }

  /** The time limit covers the body as well; a reply that breaks off or is no JSON is a failed call too. */
  async function read<Result>(name: string, args: unknown, body: (response: Response) => Promise<Result>) {
    const response = await send(name, args);
    try {
      return await body(response);
    } catch (cause) {
      throw new DatabaseError(name, undefined, cause);
    }
  }

  return {
    call: (name, args) =>
      read(name, args, (response) => response.status === 204 ? Promise.resolve(null) : response.json()),
    callForBytes: (name, args) => read(name, args, async (response) => new Uint8Array(await response.arrayBuffer())),
  };
}
