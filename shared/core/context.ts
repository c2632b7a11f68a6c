import type { AnswerJournal } from "./answers/answer_journal.ts";
import type { AnswerReader } from "./answers/answer_reader.ts";
import type { Admission } from "./auth/admission.ts";
import type { InvalidKeyGuard } from "./auth/invalid_key_guard.ts";
import type { FindIssuers, SeenKeys } from "./auth/seen_keys.ts";
import type { OwnIssuer, VerifyBearer } from "./auth/bearer_verifier.ts";
import type { CoreServices } from "./core_services.ts";
import type { AccountDatabase } from "../infra/db/account_database.ts";
import type { Semaphore } from "../libs/base/semaphore.ts";
import type { Log } from "../libs/base/log.ts";
import type { RateLimiter } from "../infra/rate_limit/rate_limiter.ts";
import type { EventReader } from "./events/event_reader.ts";

/** Everything that the verbs reach outside of themselves. Built once per process; tests build their own. */
export type Services = CoreServices & {
  /** Null: Postgres counts requests, in the call that does what they ask for. */
  limiter: RateLimiter | null;
  /** The limits of keys that the limiter has counted for. */
  seenKeys: SeenKeys;
  /** Blocks addresses that try one key after another. */
  invalidKeys: InvalidKeyGuard;
  /** The header with the address of a client that only a proxy can have set; null: no address is known. */
  clientAddressHeader: string | null;
  verifyBearer: VerifyBearer;
  /** The name under which the project's Auth issues tokens. */
  ownIssuer: OwnIssuer;
  /** The issuers whose tokens, besides the project's own, sign in users of a key's account. */
  findIssuers: FindIssuers;
  journal: AnswerJournal;
  answers: AnswerReader;
  events: EventReader;
  /** Counts the uploads under way. */
  uploadSemaphore: Semaphore;
  /** Counts the sheets of answers that are read or written, and those that also wait for it. */
  sheets: { atWork: Semaphore; present: Semaphore };
};

/** A request whose key has the right form. Nobody is authenticated before its admission says so. */
export type IncomingRequest = {
  services: Services;
  /** Checks its key and limits: by the first call of Postgres, or before it. */
  admission: Admission;
  /** `sub` of the bearer token, or null when the key acts alone. */
  userId: string | null;
  requestId: string;
  log: Log;
};

/** The context that every verb gets with its input. */
export type RequestContext = IncomingRequest & {
  /** Postgres for the account of the key. Its first call authenticates and admits the request. */
  database: AccountDatabase;
};
