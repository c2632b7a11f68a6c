import type { AccountDatabase } from "../../infra/db/account_database.ts";
import type { Spent } from "../../infra/rate_limit/rate_limiter.ts";
import type { ApiKey } from "./store.ts";

/** An operation that an API key may allow. */
export type Scope = "chat" | "threads:read" | "threads:write" | "knowledge:read" | "knowledge:write" | "expert";

/**
 * The admission of one request: a valid key, within its limits. The first call of Postgres sees to it, whatever else that
 * call does, so that an accepted request costs one round trip.
 */
export interface Admission {
  /** Of the key, as it was shown: it may not be valid. */
  readonly digest: string;
  /** Whether the key is publishable: then only signed-in users are admitted. */
  readonly isPublishable: boolean;
  /** Names the key for operators, also where the request is refused; null while it is not known. */
  readonly keyId: string | null;
  /** The key; null until the request is admitted. */
  readonly key: ApiKey | null;
  /** What the request has spent; null until it is counted. */
  readonly spent: Spent | null;
  /** Settles when it is known whether the request is admitted, or that nobody can say. */
  readonly settled: Promise<void>;
  /** Says whom the request is from, before it is admitted: the limits of a publishable key are each user's own. */
  signIn(userId: string): void;
  /**
   * Admits the request with a call of its own, unless another call has done so: before anything that costs money, or
   * where Postgres is not needed.
   *
   * @throws 401 without a valid key, 403 for a page that may not use it, 429 over its limits, 503 when Postgres does not
   * answer.
   */
  require(): Promise<ApiKey>;
  /**
   * Postgres for the account of the key. Its first call admits the request, and does nothing for one that is refused.
   *
   * @throws as `require` does, and 403 where the key lacks the scope.
   */
  open(scope: Scope): AccountDatabase;
  /** Whether the key, once the request is admitted, may be used for what needs a scope. */
  holds(scope: Scope): boolean;
  /**
   * What to refuse a request with that has failed with `error`: refusals of the key, its limits and its scope come before
   * all others.
   */
  judge(error: unknown, scope?: Scope): Promise<unknown>;
}
