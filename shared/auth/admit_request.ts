import type { Database } from "../db/database.ts";
import { errors } from "../errors.ts";
import { describeError, type Log } from "../log.ts";
import type { RateLimiter, Spent } from "../rate_limit/rate_limiter.ts";
import { digestApiKey } from "./api_key.ts";
import type { InvalidKeyGuard } from "./invalid_key_guard.ts";
import * as store from "./store.ts";
import type { ValidKey } from "./valid_key.ts";

/** What is needed to admit requests. */
export type AdmissionServices = {
  database: Database;
  /** Null: Postgres counts requests, in the round trip that checks the key. */
  limiter: RateLimiter | null;
  /** Blocks addresses that try one key after another. */
  invalidKeys: InvalidKeyGuard;
  waitUntil: (promise: Promise<unknown>) => void;
};

/** What a request is admitted by. Without an address only its key is checked. */
export type Visitor = { apiKey: string | undefined; address: string | undefined };

/** A request that showed a valid API key, and what it spent. It may still be over its limit. */
export type Admitted = { key: { keyId: string; accountId: string; scopes: string[] }; spent: Spent };

/**
 * Checks an API key and counts the request against its limits: one round trip to Postgres and, where Upstash counts,
 * one there. When Upstash fails, Postgres counts.
 *
 * @throws 401 without a valid key; 429 for an address that has shown too many invalid keys, even with a valid one; 503
 * when Postgres does not answer.
 */
export async function admitRequest(
  services: AdmissionServices,
  { apiKey, address }: Visitor,
  log: Log,
): Promise<Admitted> {
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
async function checkKey(services: AdmissionServices, apiKey: string, log: Log): Promise<Admitted | null> {
  const { database, limiter } = services;
  const digest = await digestApiKey(apiKey);
  if (digest === null) return null;

  async function find(counting: { isCounted: boolean; isRepeated?: boolean }): Promise<ValidKey | null> {
    try {
      return await store.admitRequest(database, digest!, counting);
    } catch (cause) {
      throw errors.unavailable(cause);
    }
  }

  const found = await find({ isCounted: limiter === null });
  if (found === null) return null;
  const { id, accountId, scopes, requestsPerMinute, requestsPerHour, requestsPerDay } = found;
  const key = { keyId: id, accountId, scopes };
  if (limiter === null) return { key, spent: requireSpent(found) };
  try {
    const quotas = { perMinute: requestsPerMinute, perHour: requestsPerHour, perDay: requestsPerDay };
    const spent = await limiter.spend(id, quotas);
    if (!spent.isAllowed) services.waitUntil(countRefusal(database, id, log));
    return { key, spent };
  } catch (error) {
    log("warn", "limiter_unavailable", { reason: error instanceof Error ? error.name : "unknown" });
    const recounted = await find({ isCounted: true, isRepeated: true });
    return recounted && { key, spent: requireSpent(recounted) };
  }
}

/** Counts a refusal of the limiter, of which Postgres knows nothing, for the usage of the key. Never rejects. */
async function countRefusal(database: Database, keyId: string, log: Log): Promise<void> {
  try {
    await store.countRefusal(database, keyId);
  } catch (error) {
    log("warn", "refusal_not_counted", { key_id: keyId, reason: describeError(error) });
  }
}

function requireSpent({ spent }: ValidKey): Spent {
  if (spent === null) throw errors.unavailable(new Error("admit_request counted nothing"));
  return spent;
}
