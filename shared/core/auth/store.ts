import type { CallerFunction } from "../../infra/db/account_database.ts";
import {
  type Database,
  type FunctionArgs,
  isNullReply,
  parseJson,
  parseReply,
  readReply,
} from "../../infra/db/database.ts";
import { lazy } from "../../libs/base/lazy.ts";
import type { Quotas, Spent } from "../../infra/rate_limit/rate_limiter.ts";
import type { SignedInUser, TokenIssuer } from "./bearer_verifier.ts";
import type { Page } from "./shown_key.ts";
import { fieldsOf } from "../../libs/base/fields_of.ts";
import { requireResult } from "../refusals.ts";

// Only for a valid key: a refusal does not load zod. `npm run bench -- cold` has the time of a refusal.
const loadReplies = lazy(() => import("./admission_reply.ts"));

/** An API key that was shown. */
export type ApiKey = {
  keyId: string;
  accountId: string;
  scopes: string[];
  /** Of the function `openai`. */
  options: string[];
  isOriginAllowed: boolean;
  /** True if its account has budgets: calls of a model are then reserved. */
  isBudgeted: boolean;
};

/** The user and the page that show a key. */
export type Presenter = {
  /** Null where nobody is signed in. */
  user: SignedInUser | null;
  /** The page that shows a publishable key; null for a secret key. */
  page: Page | null;
};

/** The facts by which SQL admits a request. */
export type AdmissionRequest = Presenter & {
  /** Of the key; see `digestApiKey`. */
  digest: string;
  /** The scope that the key needs, or those of which it needs any; left out if that is not known yet. */
  scope?: string | readonly string[];
  /** True if Postgres counts the request against the limits of the key. */
  isCounted: boolean;
};

/** A call that has admitted its request, or has refused it. */
export type AdmittingReply<Result> = {
  key: ApiKey;
  /** Null where Postgres did not count the request. */
  spent: Spent | null;
  /** The result of the function; undefined where it has only admitted the request, or refused it. */
  result: Result | undefined;
};

/** The argument that tells a SQL function whose request it works for. */
type SqlCaller = FunctionArgs<"admit_request">["caller"];

/**
 * Calls a function that admits the request as well; null where no valid key was shown.
 *
 * @throws {DatabaseError} as `Database.call` does. Where Postgres has refused the call, the request is not counted; where
 * it has not answered, that is unknown, and a further call may count it again.
 */
export async function admitWith<Result>(
  database: Database,
  { name, args, form }: FunctionCall<Result>,
  { digest, scope, isCounted, user, page }: AdmissionRequest,
): Promise<AdmittingReply<Result> | null> {
  const caller = {
    key_digest: digest,
    scope: typeof scope === "object" ? [...scope] : scope,
    is_counted: isCounted,
    user_id: user?.id,
    is_anonymous: user?.isAnonymous || undefined,
    ...(page && { origin: page.origin, is_same_origin: page.isSameOrigin, is_for_mcp: page.isForMcp || undefined }),
  };
  const reply = await callFor(database, name, args, caller);
  if (isNullReply(reply)) return null;
  const { AdmissionReply } = await loadReplies();
  const { admission, result } = form.split(name, reply);
  const { spent, ...key } = parseReply(name, AdmissionReply, admission);
  return { key, spent, result };
}

/**
 * Calls a function for a request that is admitted.
 *
 * @param user the signed-in user, whom SQL asks for where the key is publishable
 * @throws {DatabaseError} as `Database.call` does.
 */
export async function callAdmitted<Result>(
  database: Database,
  { name, args, form }: FunctionCall<Result>,
  { accountId, keyId }: ApiKey,
  user: SignedInUser | null,
): Promise<Result> {
  const caller = {
    account_id: accountId,
    api_key_id: keyId,
    user_id: user?.id,
    is_anonymous: user?.isAnonymous || undefined,
  };
  return form.read(name, await callFor(database, name, args, caller));
}

function callFor(database: Database, name: CallerFunction, args: object, caller: SqlCaller) {
  return database.callForBytes(name, { ...args, caller } as FunctionArgs<CallerFunction>);
}

/** A key with its limits. */
export type FoundKey = {
  keyId: string;
  isOriginAllowed: boolean;
  /** Of a publishable key: those of each user who is not anonymous. */
  quotas: Quotas;
  /** Null for a secret key. */
  publishable: {
    /** Those of all users together. */
    totals: Quotas;
    /** Those of each anonymous user. */
    anonymousQuotas: Quotas;
    /** Those of all anonymous users together, a part of `totals`. */
    anonymousTotals: Quotas;
  } | null;
};

/** The valid key with this digest, or null. Nothing is counted. @throws {DatabaseError} */
export async function findApiKey(database: Database, digest: string, page: Page | null): Promise<FoundKey | null> {
  const reply = await database.callForBytes("find_api_key", {
    key_digest: digest,
    ...(page && {
      origin: page.origin ?? undefined,
      is_same_origin: page.isSameOrigin,
      is_for_mcp: page.isForMcp || undefined,
    }),
  });
  if (isNullReply(reply)) return null;
  const { KeyReply } = await loadReplies();
  const { requests, publishable, ...key } = readReply("find_api_key", KeyReply, reply);
  return {
    ...key,
    quotas: readQuotas(requests),
    publishable: publishable && {
      totals: readQuotas(publishable.totals),
      anonymousQuotas: readQuotas(publishable.anonymousRequests),
      anonymousTotals: readQuotas(publishable.anonymousTotals),
    },
  };
}

function readQuotas([perMinute, perHour, perDay]: [number, number, number]): Quotas {
  return { perMinute, perHour, perDay };
}

/** The token issuers of the account of the valid key with this digest; null for no such key. @throws {DatabaseError} */
export async function findTokenIssuers(database: Database, digest: string): Promise<TokenIssuer[] | null> {
  const reply = await database.callForBytes("find_token_issuers", { key_digest: digest });
  if (isNullReply(reply)) return null;
  const { IssuersReply } = await loadReplies();
  return readReply("find_token_issuers", IssuersReply, reply);
}

/** Counts a request that the limiter has refused, for the usage of its key. @throws {DatabaseError} */
export async function countRefusal(database: Database, keyId: string): Promise<void> {
  await database.callForBytes("count_refusal", { api_key_id: keyId });
}

type Bytes = Uint8Array<ArrayBuffer>;

/** A call of a SQL function for the sender of the request. */
export type FunctionCall<Result> = { name: CallerFunction; args: object; form: ResultForm<Result> };

/** The form in which a caller wants the result of a function. */
export interface ResultForm<Result> {
  /** Takes apart the reply of a call that also admits: `{"admission": …, "result": …}`. */
  split(name: CallerFunction, reply: Bytes): { admission: unknown; result: Result | undefined };
  /** Reads the reply of a later call, which is the result alone. */
  read(name: CallerFunction, reply: Bytes): Result;
  /** @throws {ApiError} where the result is a refusal. */
  require(name: CallerFunction, result: Result): Result;
}

/** Parsed JSON. */
export const parsed: ResultForm<unknown> = {
  split(name, reply) {
    const { admission, result } = fieldsOf(parseJson(name, reply));
    return { admission, result };
  },
  read: parseJson,
  require: requireResult,
};

const decoder = new TextDecoder();

/** The admission, which holds ids, scopes and numbers, is not longer. */
const maxAdmissionBytes = 1_024;

/**
 * The bytes that Postgres has written, which are passed on unread: a list may hold thousands of rows. To parse and write
 * it again takes 50 times as long as this, 0.5 ms for 100 messages; `npm run bench -- lists` compares with a bare proxy.
 */
export const asBytes: ResultForm<Bytes> = {
  split(name, reply) {
    const head = decoder.decode(reply.subarray(0, maxAdmissionBytes));
    const separator = /, ?"result" ?: ?/.exec(head);
    if (separator === null) return { ...parsed.split(name, reply), result: undefined };
    const { admission } = JSON.parse(`${head.slice(0, separator.index)}}`);
    return { admission, result: reply.subarray(separator.index + separator[0].length, -1) };
  },
  read: (_name, reply) => reply,
  require(name, result) {
    const isRefusal = decoder.decode(result.subarray(0, 8)) === '{"error"';
    if (isRefusal) requireResult(name, parseJson(name, result));
    return result;
  },
};
