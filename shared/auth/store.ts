import type { CallerFunction } from "../db/account_database.ts";
import { type Database, type FunctionArgs, isNullReply, parseReply, readReply } from "../db/database.ts";
import type { Quotas, Spent } from "../rate_limit/rate_limiter.ts";

/** An API key that was shown. */
export type ApiKey = { keyId: string; accountId: string; scopes: string[] };

/** How a request asks to be admitted. */
export type AdmissionRequest = {
  /** Of the key; see `digestApiKey`. */
  digest: string;
  /** What the key needs; left out where that is not known yet. */
  scope?: string;
  /** Whether Postgres counts the request against the limits of the key. */
  isCounted: boolean;
};

/** What a function replies that admits a request. */
export type AdmittingReply = {
  key: ApiKey;
  /** Null where Postgres did not count the request. */
  spent: Spent | null;
  /** The JSON of what the function has done; left out where the request is refused. */
  result: Uint8Array<ArrayBuffer> | undefined;
};

/** The argument that tells a SQL function whose request it works for. */
type SqlCaller = FunctionArgs<"admit_request">["caller"];

/**
 * Calls a function that admits the request as well; null where no valid key was shown.
 *
 * @throws {DatabaseError} as `Database.call` does. Where Postgres has refused the call, the request is not counted; where
 * it has not answered, that is unknown, and a further call may count it again.
 */
export async function admitWith(
  database: Database,
  name: CallerFunction,
  args: object,
  { digest, scope, isCounted }: AdmissionRequest,
): Promise<AdmittingReply | null> {
  const caller = { key_digest: digest, scope, is_counted: isCounted };
  const reply = await callFor(database, name, args, caller);
  if (isNullReply(reply)) return null;
  // Only for a valid key: to load zod takes longer than all the rest of a refusal.
  const { AdmissionReply } = await import("./admission_reply.ts");
  const { head, result } = splitReply(reply);
  const { admission: { spent, ...key } } = parseReply(name, AdmissionReply, head);
  return { key, spent, result };
}

/** Calls a function for a request that is admitted. @throws {DatabaseError} as `Database.call` does. */
export function callAdmitted(
  database: Database,
  name: CallerFunction,
  args: object,
  { accountId, keyId }: ApiKey,
): Promise<Uint8Array<ArrayBuffer>> {
  return callFor(database, name, args, { account_id: accountId, api_key_id: keyId });
}

function callFor(database: Database, name: CallerFunction, args: object, caller: SqlCaller) {
  return database.callForBytes(name, { ...args, caller } as FunctionArgs<CallerFunction>);
}

const decoder = new TextDecoder();

/** What comes before the result has no more bytes: ids, scopes and numbers. */
const headBytes = 1_024;

/** Cuts the result out of a reply: it may be long, and is passed on as it is. */
function splitReply(reply: Uint8Array<ArrayBuffer>): { head: unknown; result: Uint8Array<ArrayBuffer> | undefined } {
  const head = decoder.decode(reply.subarray(0, headBytes));
  const separator = /, ?"result" ?: ?/.exec(head);
  if (separator === null) return { head: JSON.parse(head), result: undefined };
  const begin = separator.index + separator[0].length;
  return { head: JSON.parse(`${head.slice(0, separator.index)}}`), result: reply.subarray(begin, reply.length - 1) };
}

/** A key with its limits. */
export type FoundKey = { keyId: string; quotas: Quotas };

/** The valid key with this digest, or null. Nothing is counted. @throws {DatabaseError} */
export async function findApiKey(database: Database, digest: string): Promise<FoundKey | null> {
  const reply = await database.callForBytes("find_api_key", { key_digest: digest });
  if (isNullReply(reply)) return null;
  const { KeyReply } = await import("./admission_reply.ts");
  const key = readReply("find_api_key", KeyReply, reply);
  const { keyId, requestsPerMinute, requestsPerHour, requestsPerDay } = key;
  return { keyId, quotas: { perMinute: requestsPerMinute, perHour: requestsPerHour, perDay: requestsPerDay } };
}

/** Counts a request that the limiter has refused, for the usage of its key. @throws {DatabaseError} */
export async function countRefusal(database: Database, keyId: string): Promise<void> {
  await database.callForBytes("count_refusal", { api_key_id: keyId });
}
