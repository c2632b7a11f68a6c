import type { Caller } from "../context.ts";
import type { Database } from "../db/database.ts";
import { errors } from "../errors.ts";
import { describeError, type Log } from "../log.ts";
import type { Spent } from "../rate_limit/rate_limiter.ts";
import type { Services } from "../services.ts";
import { digestApiKey } from "./api_key.ts";

/** A request that showed a valid API key, and what it spent. It may still be over its limit. */
export type Admitted = { caller: Caller; spent: Spent };

/** The reply of the SQL function `admit_request`. */
type AdmitReply = {
  id: string;
  account_id: string;
  scopes: string[];
  requests_per_minute: number;
  requests_per_hour: number;
  requests_per_day: number;
  spent: { is_allowed: boolean; limit: number; remaining: number; reset: number; retry_after: number } | null;
};

/** What a request is admitted by. Without an address only its key is checked. */
export type Visitor = { apiKey: string | undefined; address: string | undefined };

/**
 * Checks an API key and counts the request against its limits: one round trip to Postgres and, where Upstash counts,
 * one there. Upstash out of order leaves the counting to Postgres.
 *
 * @throws 401 without a valid key; 429 for an address that has shown too many invalid ones, whatever it shows now; 503
 * when Postgres does not answer.
 */
export async function admitRequest(services: Services, { apiKey, address }: Visitor, log: Log): Promise<Admitted> {
  const { invalidKeys } = services;
  if (!apiKey) throw errors.missingApiKey();
  const seconds = address === undefined ? null : invalidKeys.secondsBlocked(address);
  if (seconds !== null) throw errors.rateLimitExceeded(seconds);
  const admitted = await checkKey(services, apiKey, log);
  if (admitted !== null) return admitted;
  if (address !== undefined && invalidKeys.countInvalidKey(address)) log("warn", "address_blocked", { address });
  throw errors.invalidApiKey();
}

/** Null for an invalid key. */
async function checkKey(services: Services, apiKey: string, log: Log): Promise<Admitted | null> {
  const { database, limiter } = services;
  const digest = await digestApiKey(apiKey);
  if (digest === null) return null;

  async function ask(how: { is_counted: boolean; is_repeated?: boolean }): Promise<AdmitReply | null> {
    try {
      return await database.call("admit_request", { key_digest: digest!, ...how }) as AdmitReply | null;
    } catch (cause) {
      throw errors.unavailable(cause);
    }
  }

  const key = await ask({ is_counted: limiter === null });
  if (key === null) return null;
  const caller = { keyId: key.id, accountId: key.account_id, scopes: key.scopes, userId: null };
  if (limiter === null) return { caller, spent: readSpent(key) };
  try {
    const quotas = { perMinute: key.requests_per_minute, perHour: key.requests_per_hour, perDay: key.requests_per_day };
    const spent = await limiter.spend(key.id, quotas);
    if (!spent.isAllowed) services.waitUntil(countRefusal(database, key.id, log));
    return { caller, spent };
  } catch (error) {
    log("warn", "limiter_unavailable", { reason: error instanceof Error ? error.name : "unknown" });
    const recounted = await ask({ is_counted: true, is_repeated: true });
    return recounted && { caller, spent: readSpent(recounted) };
  }
}

/** Notes a refusal that Postgres did not see, for the usage of the key. Never rejects. */
async function countRefusal(database: Database, keyId: string, log: Log): Promise<void> {
  try {
    await database.call("count_refusal", { api_key_id: keyId });
  } catch (error) {
    log("warn", "refusal_not_counted", { key_id: keyId, reason: describeError(error) });
  }
}

function readSpent({ spent }: AdmitReply): Spent {
  if (spent === null) throw errors.unavailable(new Error("admit_request counted nothing"));
  return {
    isAllowed: spent.is_allowed,
    limit: spent.limit,
    remaining: spent.remaining,
    reset: spent.reset,
    retryAfter: spent.retry_after,
  };
}
