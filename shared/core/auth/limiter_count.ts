import { errors } from "../../infra/errors.ts";
import type { Database } from "../../infra/db/database.ts";
import { describeError, type Log } from "../../libs/base/log.ts";
import type { RateLimiter, Spent } from "../../infra/rate_limit/rate_limiter.ts";
import type { SignedInUser } from "./bearer_verifier.ts";
import { sha256Hex } from "./digest.ts";
import type { SeenKeys } from "./seen_keys.ts";
import type { Page } from "./shown_key.ts";
import * as store from "./store.ts";

type Services = {
  database: Database;
  limiter: RateLimiter;
  seenKeys: SeenKeys;
  waitUntil: (promise: Promise<unknown>) => void;
};

/** Counts one request in the limiter, outside of Postgres. */
export class LimiterCount {
  /** Null while the key is not known. */
  keyId: string | null = null;
  /** Null while nothing is counted. */
  spent: Spent | null = null;
  readonly #services: Services;
  readonly #digest: string;
  readonly #log: Log;
  #page: Page | null = null;
  #counting: Promise<boolean> | undefined;

  constructor(services: Services, digest: string, log: Log) {
    this.#services = services;
    this.#digest = digest;
    this.#log = log;
  }

  /**
   * Counts the request, once; false where the limiter fails, so that Postgres has to count.
   *
   * @param page the page to check the key for
   * @throws 401 for an unknown key, 403 for a page that may not use it, 429 over its limits, 503 when Postgres does not
   * answer.
   */
  count(user: SignedInUser | null, page: Page | null): Promise<boolean> {
    this.#page = page;
    return this.#counting ??= this.#countOnce(user);
  }

  /** Forgets a key that was valid a moment ago. */
  forget(): void {
    this.#services.seenKeys.forget(this.#seenAs);
    this.keyId = null;
    this.spent = null;
  }

  async #countOnce(user: SignedInUser | null): Promise<boolean> {
    const { seenKeys, waitUntil } = this.#services;
    const seen = seenKeys.get(this.#seenAs);
    const key = seen ?? await this.#findKey();
    this.keyId = key.keyId;
    if (seen === undefined) seenKeys.set(this.#seenAs, key);
    try {
      this.spent = await this.#spend(key, user);
    } catch (error) {
      this.#log("warn", "limiter_unavailable", { reason: error instanceof Error ? error.name : "unknown" });
      return false;
    }
    if (this.spent.isAllowed) return true;
    const { retryAfter } = this.spent;
    // It may have been revoked since it was seen.
    if (seen !== undefined) await this.#findKey();
    waitUntil(this.#countRefusal(key.keyId));
    throw errors.rateLimitExceeded(retryAfter);
  }

  /** The name under which the key is remembered. It includes the page's origin, which a publishable key depends on. */
  get #seenAs(): string {
    if (this.#page === null) return this.#digest;
    const { origin, isSameOrigin, isForMcp } = this.#page;
    return `${this.#digest}${isForMcp ? " mcp" : ""} ${origin ?? (isSameOrigin ? "same" : "none")}`;
  }

  async #findKey(): Promise<store.FoundKey> {
    const found = await store.findApiKey(this.#services.database, this.#digest, this.#page).catch((cause) => {
      throw errors.unavailable(cause);
    });
    if (found === null) throw errors.invalidApiKey();
    this.keyId = found.keyId;
    if (!found.isOriginAllowed) throw errors.originNotAllowed();
    return found;
  }

  /** Spends from the limits of a key; of a publishable one, also those of anonymous users and of each user. */
  async #spend({ keyId, quotas, publishable }: store.FoundKey, user: SignedInUser | null): Promise<Spent> {
    const { limiter } = this.#services;
    if (publishable === null) return await limiter.spend([{ name: keyId, quotas }]);
    const { totals, anonymousQuotas, anonymousTotals } = publishable;
    const shared = { name: keyId, quotas: totals };
    // It will be refused, unless the limit comes first: a stranger cannot use up what users share.
    if (user === null) return await limiter.look(shared);
    const name = `${keyId}:${sha256Hex(user.id)}`;
    if (!user.isAnonymous) return await limiter.spend([shared, { name, quotas }]);
    const anonymous = { name: `${keyId}:anonymous`, quotas: anonymousTotals };
    return await limiter.spend([shared, anonymous, { name, quotas: anonymousQuotas }]);
  }

  /** Counts a refusal, of which Postgres knows nothing, for the usage of the key. Never rejects. */
  async #countRefusal(keyId: string): Promise<void> {
    try {
      await store.countRefusal(this.#services.database, keyId);
    } catch (error) {
      this.#log("warn", "refusal_not_counted", { key_id: keyId, reason: describeError(error) });
    }
  }
}
