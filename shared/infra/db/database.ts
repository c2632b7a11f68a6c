import type { ZodMiniType } from "zod/mini";
import { fieldsOf } from "../../libs/base/fields_of.ts";
import { delay } from "../../libs/base/std/async.ts";
import type { SpanAttributes } from "../../libs/telemetry/trace_context.ts";
import type { OpenSpan, Tracing } from "../../libs/telemetry/tracing.ts";
import type { Database as Schema } from "./database_types.ts";

type Functions = Schema["public"]["Functions"];
export type FunctionName = keyof Functions & string;

/** Arguments of a SQL function. The generated types do not know that any argument may be null. */
export type FunctionArgs<Name extends FunctionName> = {
  [Key in keyof Functions[Name]["Args"]]: Functions[Name]["Args"][Key] | null;
};

/** The schema of a SQL function's reply. Only the type of zod: no cold start loads it for this file. */
export type ReplySchema<Reply> = ZodMiniType<Reply>;

/** The SQL functions that the service calls, with their arguments, as the generated types know them. */
export interface Database {
  /** Calls a SQL function; null where it returns nothing. @throws {DatabaseError} on failure or an unexpected reply */
  call<Name extends FunctionName, Reply>(
    name: Name,
    args: FunctionArgs<Name>,
    schema: ReplySchema<Reply>,
  ): Promise<Reply>;
  /** As `call`, but returns the bytes of the JSON, for replies that are passed on as Postgres built them. */
  callForBytes<Name extends FunctionName>(name: Name, args: FunctionArgs<Name>): Promise<Uint8Array<ArrayBuffer>>;
}

/**
 * A call that failed. Its code is a SQLSTATE, an HTTP status or {@link unreadableReply}; its message never holds data.
 * `asked`: what SQL `ask_for_form` wants to be called with again, a text in a language; else null.
 */
export class DatabaseError extends Error {
  override name = "DatabaseError";
  readonly asked: { language: string; content: string } | null;

  constructor(functionName: string, readonly code: string | number | undefined, cause?: unknown, refusal?: unknown) {
    super(`Cannot call ${functionName}`, { cause });
    const { message, details } = fieldsOf(refusal);
    this.asked = code === "PT412" ? { language: String(message), content: String(details ?? "") } : null;
  }
}

/** The code of a call whose reply is not what its schema says: functions and migrations of different versions. */
export const unreadableReply = "unreadable_reply";

/** A lock that did not come, a statement that took too long. */
const busyCodes: unknown[] = ["40001", "40P01", "55P03", "57014"];
/** The schema is not read yet, no free connection, no answer of the gateway. */
const unansweredCodes: unknown[] = ["PGRST002", "PGRST003", 504];

/** Returns whether a call failed because Postgres was too busy: it may have been carried out all the same. */
export function isBusy(error: unknown): boolean {
  return isUnanswered(error) || error instanceof DatabaseError && busyCodes.includes(error.code);
}

/** Returns whether Postgres has not answered in time: another call would only wait as long. */
export function isUnanswered(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false;
  return unansweredCodes.includes(error.code) || fieldsOf(error.cause).name === "TimeoutError";
}

/** Returns whether the same call would fail again. Classes 22 and 23 of SQLSTATE: data that Postgres refuses. */
export function isFinal(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === unreadableReply || /^2[23]/.test(String(error.code)));
}

const decoder = new TextDecoder();

/** The JSON of a reply, parsed. @throws {DatabaseError} when it broke off, or is not what its schema says. */
export function readReply<Reply>(name: FunctionName, schema: ReplySchema<Reply>, reply: Uint8Array): Reply {
  return parseReply(name, schema, parseJson(name, reply));
}

/** @throws {DatabaseError} when a reply broke off. */
export function parseJson(name: FunctionName, reply: Uint8Array): unknown {
  try {
    // A function that returns nothing has an empty reply.
    return reply.length === 0 ? null : JSON.parse(decoder.decode(reply));
  } catch (cause) {
    throw new DatabaseError(name, undefined, cause);
  }
}

/** @throws {DatabaseError} when a reply is not what its schema says. */
export function parseReply<Reply>(name: FunctionName, schema: ReplySchema<Reply>, reply: unknown): Reply {
  const { success, data } = schema.safeParse(reply);
  if (!success) throw new DatabaseError(name, unreadableReply);
  return data;
}

/** Returns whether a function that was called for bytes has replied null, without parsing the reply. */
export function isNullReply(reply: Uint8Array): boolean {
  return decoder.decode(reply.subarray(0, 4)) === "null";
}

/** The headers with a project's secret key, for its REST and Storage. Old keys tell the role only as a bearer. */
export function secretKeyHeaders(secretKey: string): Record<string, string> {
  return { apikey: secretKey, ...(secretKey.startsWith("eyJ") ? { Authorization: `Bearer ${secretKey}` } : {}) };
}

/**
 * Returns whether PostgREST refused a call before Postgres saw it, and will soon take it: it is reading the schema, or
 * its clock is behind that of the gateway, which makes a new token for each call with a secret key.
 */
function isTooEarly(code: unknown, message: unknown): boolean {
  return code === "PGRST002" || code === "PGRST303" && /issued at future|not yet valid/i.test(String(message));
}

/** The first pause before such a call is made again, and the longest, in milliseconds. Each is twice as long. */
const [firstPause, longestPause] = [50, 1_000];

/** The attributes of the span of a call that failed. */
function describeFailure({ code, cause }: DatabaseError): SpanAttributes {
  const name = code === undefined ? String(fieldsOf(cause).name ?? "_OTHER") : String(code);
  return { "error.type": name, "db.response.status_code": code === undefined ? undefined : name };
}

/** A database behind PostgREST. No client library: functions are all that is called, and lists pass bytes on unread. */
export function createDatabase(
  env: { supabaseUrl: string; secretKey: string },
  timeout: number,
  tracing: Tracing | null = null,
): Database {
  const ownHeaders = { ...secretKeyHeaders(env.secretKey), "Content-Type": "application/json" };

  async function send(name: string, args: unknown, signal: AbortSignal, span: OpenSpan | null): Promise<Response> {
    const headers = span === null ? ownHeaders : { ...ownHeaders, traceparent: span.traceparent };
    const body = JSON.stringify(args);
    for (let pause = firstPause;; pause = Math.min(2 * pause, longestPause)) {
      const response = await fetch(`${env.supabaseUrl}/rest/v1/rpc/${name}`, { method: "POST", headers, body, signal });
      if (response.ok) return response;
      const reply = await response.json().catch(() => null);
      const { code, message } = fieldsOf(reply);
      const refusal = new DatabaseError(name, typeof code === "string" ? code : response.status, undefined, reply);
      if (!isTooEarly(code, message)) throw refusal;
      await delay(pause, { signal }).catch(() => Promise.reject(refusal));
    }
  }

  /** The time limit covers the body as well; a reply that breaks off is a failed call too. */
  async function callForBytes(name: FunctionName, args: unknown): Promise<Uint8Array<ArrayBuffer>> {
    // Not AbortSignal.timeout(): that would go on after the call, and end in an error that nobody sees.
    const controller = new AbortController();
    const stop = () => controller.abort(new DOMException("No answer in time", "TimeoutError"));
    const timer = setTimeout(stop, timeout);
    // Named after the function, as a stored procedure: the statement is PostgREST's own.
    const span = tracing?.begin(`CALL ${name}`, env.supabaseUrl, {
      "db.system.name": "postgresql",
      "db.operation.name": "CALL",
      "db.stored_procedure.name": name,
    }) ?? null;
    try {
      const response = await send(name, args, controller.signal, span);
      const reply = new Uint8Array(await response.arrayBuffer());
      span?.end();
      return reply;
    } catch (error) {
      const failure = error instanceof DatabaseError ? error : new DatabaseError(name, undefined, error);
      span?.end({ attributes: describeFailure(failure), hasFailed: true });
      throw failure;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    call: async (name, args, schema) => readReply(name, schema, await callForBytes(name, args)),
    callForBytes,
  };
}
