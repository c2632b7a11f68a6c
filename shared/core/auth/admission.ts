import type { AccountDatabase } from "../../infra/db/account_database.ts";
import type { Spent } from "../../infra/rate_limit/rate_limiter.ts";
import type { SignedInUser } from "./bearer_verifier.ts";
import type { ApiKey } from "./store.ts";

/** An operation that an API key may allow. */
export type Scope = "chat" | "threads:read" | "threads:write" | "knowledge:read" | "knowledge:write" | "expert";

/** The scope that an operation needs, or scopes of which any will do; a refusal names the first. */
export type Needed = Scope | readonly [Scope, ...Scope[]];

/**
 * The admission of one request; `openAdmission` opens it. Apart from that: a deployment uploads the packages of whatever
 * names this type, and the functions that admit nobody need none of them.
 */
export interface Admission {
  /** Digest of the key as it was shown, which may not be valid. */
  readonly digest: string;
  /** True for a publishable key, which admits only signed-in users. */
  readonly isPublishable: boolean;
  /** Names the key for operators, also where the request is refused; null while it is not known. */
  readonly keyId: string | null;
  /** The key; null until the request is admitted. */
  readonly key: ApiKey | null;
  /** The limits that the request has spent from; null until it is counted. */
  readonly spent: Spent | null;
  /** Settles when it is known whether the request is admitted, or that nobody can say. */
  readonly settled: Promise<void>;
  /** The user of the request; null if the key acts alone. */
  readonly user: SignedInUser | null;
  /** Sets the user of the request, before it is admitted: a publishable key has limits for each user. */
  signIn(user: SignedInUser): void;
  /**
   * Postgres for the account of the key. Its first call admits the request, and does nothing for one that is refused.
   *
   * @throws as `require` does, and 403 where the key lacks the scope.
   */
  openDatabase(scope: Needed): AccountDatabase;
  /**
   * Admits the request with a call of its own, unless another call has done so: before anything that costs money, or
   * where Postgres is not needed.
   *
   * @throws 401 without a valid key, 403 for a page that may not use it, 429 over its limits, 503 when Postgres does not
   * answer.
   */
  require(): Promise<ApiKey>;
  /** Returns whether the request is admitted and its key has a scope. */
  holds(scope: Needed): boolean;
  /** The error to refuse a request with that has failed with `error`: refusals of the key, limits and scope first. */
  judge(error: unknown, scope?: Needed): Promise<unknown>;
}
