import type { CallerFunction } from "../../infra/db/account_database.ts";
import { type Database, DatabaseError, isUnanswered, readReply } from "../../infra/db/database.ts";
import { ApiError, errors } from "../../base/errors.ts";
import { describeError, type Log } from "../../infra/log.ts";
import type { RateLimiter, Spent } from "../../infra/rate_limit/rate_limiter.ts";
import { digestApiKey } from "./api_key.ts";
import type { Admission, Scope } from "./admission.ts";
import type { InvalidKeyGuard } from "./invalid_key_guard.ts";
import type { SeenKeys } from "./seen_keys.ts";
import { sha256Hex } from "./sha256_hex.ts";
import type { ShownKey } from "./shown_key.ts";
import * as store from "./store.ts";
import type { ApiKey } from "./store.ts";

/** What is needed to admit requests. */
export type AdmissionServices = {
  database: Database;
  /** Null: Postgres counts requests. */
  limiter: RateLimiter | null;
  /** The limits of keys that the limiter has counted for. */
  seenKeys: SeenKeys;
  /** Blocks addresses that try one key after another. */
  invalidKeys: InvalidKeyGuard;
  waitUntil: (promise: Promise<unknown>) => void;
};

/** What a request is admitted by. Without an address only its key is checked. */
export type Visitor = ShownKey & { address: string | undefined };

/**
 * Opens the admission of a request: finds out what can be known without Postgres.
 *
 * @throws 401 without a key that can be valid; 429 for an address that has shown too many invalid keys, even with a valid
 * one.
 */
export function openAdmission(
  services: AdmissionServices,
  { apiKey, page, address }: Visitor,
  log: Log,
): Admission {
  const { database, limiter, seenKeys, invalidKeys } = services;
  if (!apiKey) throw errors.missingApiKey();
  const seconds = address === undefined ? null : invalidKeys.secondsBlocked(address);
  if (seconds !== null) throw errors.rateLimitExceeded(seconds);
  const digest = digestApiKey(apiKey) ?? refuseKey();

  let userId: string | null = null;
  let keyId: string | null = null;
  let key: ApiKey | null = null;
  let spent: Spent | null = null;
  const settled = Promise.withResolvers<void>();
  /** The call that admits, under way or with its verdict; undefined where none was made, or it failed without one. */
  let admitting: Promise<ApiKey> | undefined;
  /** What that call failed with, if Postgres said nothing: it is not asked again for a verdict alone. */
  let silence: unknown;
  let counting: Promise<{ isCounted: boolean }> | undefined;

  /** Where a key was seen before: whether a page may use it depends on its origin. */
  const seenAs = page === null ? digest : `${digest} ${page.origin ?? (page.isSameOrigin ? "same" : "none")}`;

  function refuseKey(): never {
    if (address !== undefined && invalidKeys.countInvalidKey(address)) log("warn", "address_blocked", { address });
    throw errors.invalidApiKey();
  }

  /** Refuses a key that was valid a moment ago. */
  function forgetKey(): never {
    seenKeys.forget(seenAs);
    keyId = null;
    spent = null;
    refuseKey();
  }

  async function findKey(): Promise<store.FoundKey> {
    const found = await store.findApiKey(database, digest, page).catch((cause) => {
      throw errors.unavailable(cause);
    });
    if (found === null) forgetKey();
    keyId = found.keyId;
    if (!found.isOriginAllowed) throw errors.originNotAllowed();
    return found;
  }

  /** What the request is counted in: of a publishable key, in what all users share and in what this one has. */
  async function spend(limiter: RateLimiter, { keyId, quotas, totals }: store.FoundKey): Promise<Spent> {
    const shared = { name: keyId, quotas: totals ?? quotas };
    if (totals === null) return await limiter.spend([shared]);
    // It will be refused, unless the limit comes first: a stranger cannot use up what users share.
    if (userId === null) return await limiter.look(shared);
    return await limiter.spend([shared, { name: `${keyId}:${sha256Hex(userId)}`, quotas }]);
  }

  /** Has Upstash count the request, once, where there is one. When it fails, Postgres counts. */
  async function count(limiter: RateLimiter): Promise<{ isCounted: boolean }> {
    const seen = seenKeys.get(seenAs);
    const found = seen ?? await findKey();
    keyId = found.keyId;
    if (seen === undefined) seenKeys.set(seenAs, found);
    try {
      spent = await spend(limiter, found);
    } catch (error) {
      log("warn", "limiter_unavailable", { reason: error instanceof Error ? error.name : "unknown" });
      return { isCounted: true };
    }
    if (!spent.isAllowed) {
      const { retryAfter } = spent;
      // It may have been revoked since it was seen.
      if (seen !== undefined) await findKey();
      services.waitUntil(countRefusal(database, found.keyId, log));
      throw errors.rateLimitExceeded(retryAfter);
    }
    return { isCounted: false };
  }

  /** Makes a call that admits the request; without a result where it has only done that. */
  async function admit(name: CallerFunction, args: object, scope?: Scope): Promise<Carried> {
    try {
      const { isCounted } = limiter === null ? { isCounted: true } : await (counting ??= count(limiter));
      const reply = await store.admitWith(database, name, args, { digest, scope, isCounted, userId, page });
      if (reply === null) forgetKey();
      keyId = reply.key.keyId;
      if (!reply.key.isOriginAllowed) throw errors.originNotAllowed();
      spent = reply.spent ?? spent;
      if (spent === null) throw new Error(`${name} has counted nothing`);
      if (!spent.isAllowed) throw errors.rateLimitExceeded(spent.retryAfter);
      key = reply.key;
      return { key, result: reply.result };
    } catch (error) {
      if (isTakenBack(error)) return await admit("admit_request", {});
      if (!(error instanceof ApiError)) {
        admitting = undefined;
        silence = isUnanswered(error) ? error : undefined;
      }
      throw error;
    } finally {
      settled.resolve();
    }
  }

  async function require(): Promise<ApiKey> {
    if (admitting === undefined && silence !== undefined) throw errors.unavailable(silence);
    return await (admitting ??= admit("admit_request", {}).then(({ key }) => key, (error) => {
      throw error instanceof ApiError ? error : errors.unavailable(error);
    }));
  }

  function holdsScope({ scopes }: ApiKey, scope: Scope): boolean {
    return scopes.includes(scope) || page !== null && scopesOfCoaches.includes(scope) ||
      userId !== null && scope === "expert";
  }
  function requireScope(key: ApiKey, scope: Scope): void {
    if (!holdsScope(key, scope)) throw errors.missingScope(scope);
  }

  async function call(scope: Scope, name: CallerFunction, args: object): Promise<Uint8Array<ArrayBuffer>> {
    if (admitting === undefined) {
      const call = admit(name, args, scope);
      admitting = call.then(({ key }) => key);
      // Its failure is thrown below.
      admitting.catch(() => {});
      const { result } = await call;
      if (result !== undefined) return result;
    }
    const key = await admitting;
    requireScope(key, scope);
    return await store.callAdmitted(database, name, args, key, userId);
  }

  return {
    digest,
    isPublishable: page !== null,
    get keyId() {
      return keyId;
    },
    get key() {
      return key;
    },
    get spent() {
      return spent;
    },
    settled: settled.promise,
    signIn: (id) => void (userId = id),
    require,
    holds: (scope) => key !== null && holdsScope(key, scope),
    open: (scope) => ({
      admit: async () => requireScope(await require(), scope),
      async call(name, args, schema) {
        return readReply(name, schema, await call(scope, name, args));
      },
      callForBytes: (name, args) => call(scope, name, args),
    }),
    async judge(error, scope) {
      try {
        const key = await require();
        if (scope !== undefined) requireScope(key, scope);
        return error;
      } catch (refusal) {
        return refusal;
      }
    },
  };
}

/**
 * What the coach's own user may do with any publishable key, besides what any key is for that is the expert's. What needs
 * one of these scopes checks that it is the coach's own user who asks. The same scopes are in SQL `admit`.
 */
const scopesOfCoaches: Scope[] = ["knowledge:read", "knowledge:write"];

/** What came of a call that admits: the key, and the result of the function, if it was carried out. */
type Carried = { key: ApiKey; result?: Uint8Array<ArrayBuffer> };

/** Whether a call was taken back as a whole, since other requests have used up the limits meanwhile. */
function isTakenBack(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === "PT429";
}

/** Counts a refusal of the limiter, of which Postgres knows nothing, for the usage of the key. Never rejects. */
async function countRefusal(database: Database, keyId: string, log: Log): Promise<void> {
  try {
    await store.countRefusal(database, keyId);
  } catch (error) {
    log("warn", "refusal_not_counted", { key_id: keyId, reason: describeError(error) });
  }
}
