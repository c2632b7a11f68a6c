import type { Caller } from "../context.ts";
import { errors } from "../errors.ts";
import type { Log } from "../log.ts";
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

/**
 * Checks an API key and counts the request against its limits: one round trip to Postgres and, where Upstash counts,
 * one there. Upstash out of order leaves the counting to Postgres.
 *
 * @throws 401 without a valid key; 503 when Postgres does not answer.
 */
export async function admitRequest(
  { database, limiter }: Services,
  apiKey: string | undefined,
  log: Log,
): Promise<Admitted> {
  if (!apiKey) throw errors.missingApiKey();
  const digest = await digestApiKey(apiKey);
  if (digest === null) throw errors.invalidApiKey();

  async function ask(isCounted: boolean): Promise<AdmitReply> {
    let reply;
    try {
      reply = await database.call("admit_request", { key_digest: digest!, is_counted: isCounted });
    } catch (cause) {
      throw errors.unavailable(cause);
    }
    if (reply === null) throw errors.invalidApiKey();
    return reply as AdmitReply;
  }

  const key = await ask(limiter === null);
  const caller = { keyId: key.id, accountId: key.account_id, scopes: key.scopes, userId: null };
  if (limiter === null) return { caller, spent: readSpent(key) };
  try {
    const quotas = { perMinute: key.requests_per_minute, perHour: key.requests_per_hour, perDay: key.requests_per_day };
    return { caller, spent: await limiter.spend(key.id, quotas) };
  } catch (error) {
    log("warn", "limiter_unavailable", { reason: error instanceof Error ? error.name : "unknown" });
    return { caller, spent: readSpent(await ask(true)) };
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
