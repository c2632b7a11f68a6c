import * as store from "./store.ts";
import { ApiError, errors } from "../../infra/errors.ts";
import type { AccountDatabase, CallerFunction } from "../../infra/db/account_database.ts";
import { type Database, DatabaseError, isUnanswered, parseReply } from "../../infra/db/database.ts";
import type { Log } from "../../libs/base/log.ts";
import type { RateLimiter, Spent } from "../../infra/rate_limit/rate_limiter.ts";
import type { Admission, Needed, Scope } from "./admission.ts";
import { digestApiKey } from "./digest.ts";
import type { SignedInUser } from "./bearer_verifier.ts";
import { type ApiKey, asBytes, type FunctionCall, parsed } from "./store.ts";
import type { InvalidKeyGuard } from "./invalid_key_guard.ts";
import { LimiterCount } from "./limiter_count.ts";
import type { SeenKeys } from "./seen_keys.ts";
import type { Page, ShownKey } from "./shown_key.ts";

/**
 * The scopes that the coach's own user has with any publishable key, besides `expert`. An operation that needs one of them
 * checks that its caller is the coach's own user. SQL `admit` has the same scopes.
 */
const scopesOfCoaches: Scope[] = ["knowledge:read", "knowledge:write"];

/** The services that admit requests. */
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

/** The key that a request shows, and its address. Without an address only the key is checked. */
export type Presented = ShownKey & { address: string | undefined };

type State =
  /** Nothing is known: no call was made, or one has failed without a verdict. */
  | { name: "open" }
  /** The call that admits is under way. */
  | { name: "asking"; verdict: Promise<ApiKey> }
  | { name: "admitted"; key: ApiKey }
  | { name: "refused"; refusal: ApiError }
  /** Postgres did not answer in time: it is not asked again for a verdict alone, which would take as long. */
  | { name: "unanswered"; failure: unknown };

/**
 * Begins the admission of a request: checks what can be known without Postgres.
 *
 * @throws 401 without a key that can be valid; 429 for an address that has shown too many invalid keys, even with a valid
 * one.
 */
export function openAdmission(services: AdmissionServices, presented: Presented, log: Log): Admission {
  const { apiKey, address } = presented;
  if (!apiKey) throw errors.missingApiKey();
  const seconds = address === undefined ? null : services.invalidKeys.secondsBlocked(address);
  if (seconds !== null) throw errors.rateLimitExceeded(seconds);
  const digest = digestApiKey(apiKey);
  if (digest === null) {
    countInvalidKey(services, address, log);
    throw errors.invalidApiKey();
  }
  return new KeyAdmission(services, { digest, page: presented.page, address }, log);
}

/** Counts an invalid key against its address, which may be blocked then. */
function countInvalidKey({ invalidKeys }: AdmissionServices, address: string | undefined, log: Log): void {
  if (address !== undefined && invalidKeys.countInvalidKey(address)) log("warn", "address_blocked", { address });
}

/**
 * The admission of one request: a valid key, within its limits. The first call of Postgres checks it in SQL, whatever else
 * that call does, so that an accepted request costs one round trip.
 */
class KeyAdmission implements Admission {
  readonly digest: string;
  readonly #services: AdmissionServices;
  readonly #shownPage: Page | null;
  readonly #address: string | undefined;
  readonly #log: Log;
  readonly #settled = Promise.withResolvers<void>();
  /** Null where Postgres counts. */
  readonly #limiterCount: LimiterCount | null;
  #user: SignedInUser | null = null;
  #keyId: string | null = null;
  #spent: Spent | null = null;
  #state: State = { name: "open" };

  constructor(
    services: AdmissionServices,
    { digest, page, address }: { digest: string; page: Page | null; address: string | undefined },
    log: Log,
  ) {
    this.digest = digest;
    this.#services = services;
    this.#shownPage = page;
    this.#address = address;
    this.#log = log;
    const { limiter } = services;
    this.#limiterCount = limiter && new LimiterCount({ ...services, limiter }, digest, log);
  }

  get isPublishable(): boolean {
    return this.#shownPage !== null;
  }

  /** The page to check the key for. That of an AI client only counts once its user is signed in. */
  get #page(): Page | null {
    const page = this.#shownPage;
    return page?.isForMcp && this.#user === null ? { ...page, origin: null } : page;
  }

  get keyId(): string | null {
    return this.#keyId ?? this.#limiterCount?.keyId ?? null;
  }

  get key(): ApiKey | null {
    return this.#state.name === "admitted" ? this.#state.key : null;
  }

  get spent(): Spent | null {
    return this.#spent ?? this.#limiterCount?.spent ?? null;
  }

  get settled(): Promise<void> {
    return this.#settled.promise;
  }

  get user(): SignedInUser | null {
    return this.#user;
  }

  signIn(user: SignedInUser): void {
    this.#user = user;
  }

  openDatabase(scope: Needed): AccountDatabase {
    return {
      admit: async () => this.#requireScope(await this.require(), scope),
      call: async (name, args, schema) =>
        parseReply(name, schema, await this.#call({ name, args, form: parsed }, scope)),
      callForBytes: (name, args) => this.#call({ name, args, form: asBytes }, scope),
    };
  }

  require(): Promise<ApiKey> {
    const state = this.#state;
    switch (state.name) {
      case "admitted":
        return Promise.resolve(state.key);
      case "refused":
        return Promise.reject(state.refusal);
      case "unanswered":
        return Promise.reject(errors.unavailable(state.failure));
      case "asking":
        return state.verdict;
      case "open": {
        const verdict = this.#admitAlone().catch((error) => {
          throw error instanceof ApiError ? error : errors.unavailable(error);
        });
        this.#state = { name: "asking", verdict };
        return verdict;
      }
    }
  }

  holds(scope: Needed): boolean {
    return this.key !== null && this.#holdsScope(this.key, scope);
  }

  async judge(error: unknown, scope?: Needed): Promise<unknown> {
    try {
      const key = await this.require();
      if (scope !== undefined) this.#requireScope(key, scope);
      return error;
    } catch (refusal) {
      return refusal;
    }
  }

  /** Calls a function for the account of the key. The first call admits the request. */
  async #call<Result>(call: FunctionCall<Result>, scope: Needed): Promise<Result> {
    const { name, form } = call;
    const first = this.#state.name === "open" || this.#state.name === "unanswered"
      ? await this.#admitWith(call, scope)
      : undefined;
    if (first !== undefined) return form.require(name, first);
    const key = await this.require();
    this.#requireScope(key, scope);
    return form.require(name, await store.callAdmitted(this.#services.database, call, key, this.#user));
  }

  /** Admits the request by a call that others wait for; undefined where it has only done that. */
  async #admitWith<Result>(call: FunctionCall<Result>, scope: Needed): Promise<Result | undefined> {
    const admitting = this.#admit(call, scope);
    const verdict = admitting.then(({ key }) => key);
    // Its failure is thrown below.
    verdict.catch(() => {});
    this.#state = { name: "asking", verdict };
    return (await admitting).result;
  }

  async #admitAlone(): Promise<ApiKey> {
    const { key } = await this.#admit({ name: "admit_request", args: {}, form: parsed });
    return key;
  }

  /** Makes a call that admits, and keeps its verdict. */
  async #admit<Result>(call: FunctionCall<Result>, scope?: Needed): Promise<Admitted<Result>> {
    try {
      const page = this.#page;
      const isCounted = this.#limiterCount === null || !await this.#limiterCount.count(this.#user, page);
      const shown = { digest: this.digest, scope, isCounted, user: this.#user, page };
      const reply = await store.admitWith(this.#services.database, call, shown);
      const key = this.#readVerdict(call.name, reply);
      this.#state = { name: "admitted", key };
      return { key, result: reply?.result };
    } catch (error) {
      // Taken back as a whole, since other requests have used up the limits meanwhile.
      if (error instanceof DatabaseError && error.code === "PT429") {
        return { key: await this.#admitAlone(), result: undefined };
      }
      this.#keepFailure(error);
      throw error;
    } finally {
      this.#settled.resolve();
    }
  }

  /** The key of a request that a call has admitted. @throws {ApiError} where it was refused. */
  #readVerdict(name: CallerFunction, reply: store.AdmittingReply<unknown> | null): ApiKey {
    if (reply === null) throw errors.invalidApiKey();
    this.#keyId = reply.key.keyId;
    if (!reply.key.isOriginAllowed) throw errors.originNotAllowed();
    this.#spent = reply.spent;
    const { spent } = this;
    if (spent === null) throw new Error(`${name} has counted nothing`);
    if (!spent.isAllowed) throw errors.rateLimitExceeded(spent.retryAfter);
    return reply.key;
  }

  #keepFailure(error: unknown): void {
    if (!(error instanceof ApiError)) {
      this.#state = isUnanswered(error) ? { name: "unanswered", failure: error } : { name: "open" };
      return;
    }
    this.#state = { name: "refused", refusal: error };
    if (error.code !== "invalid_api_key") return;
    // It was valid a moment ago, or never.
    this.#limiterCount?.forget();
    this.#keyId = null;
    this.#spent = null;
    countInvalidKey(this.#services, this.#address, this.#log);
  }

  #requireScope(key: ApiKey, scope: Needed): void {
    if (!this.#holdsScope(key, scope)) throw errors.missingScope([scope].flat()[0]!);
  }

  #holdsScope({ scopes }: ApiKey, scope: Needed): boolean {
    return [scope].flat().some((scope) =>
      scopes.includes(scope) || this.isPublishable && scopesOfCoaches.includes(scope) ||
      this.#user !== null && scope === "expert"
    );
  }
}

/** A request that is admitted; undefined where the call has done no more than that. */
type Admitted<Result> = { key: ApiKey; result: Result | undefined };
