import { type AnswerJournal, createAnswerJournal } from "./answers/answer_journal.ts";
import { type AnswerReader, createAnswerReader } from "./answers/answer_reader.ts";
import { saveAtEnd } from "./answers/save_at_end.ts";
import { createInvalidKeyGuard, type InvalidKeyGuard } from "./auth/invalid_key_guard.ts";
import { createSeenKeys, type SeenKeys } from "./auth/seen_keys.ts";
import { createBearerVerifier, type VerifyBearer } from "./auth/verify_bearer.ts";
import { type CoreServices, createCoreServices, isOnPlatform } from "./core_services.ts";
import { type Env, readEnv } from "./env.ts";
import { createGate, type Gate } from "./gate.ts";
import { lazy } from "./lazy.ts";
import type { RateLimiter } from "./rate_limit/rate_limiter.ts";
import { createUpstashLimiter } from "./rate_limit/upstash_limiter.ts";

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
  journal: AnswerJournal;
  answers: AnswerReader;
  /** Counts the uploads under way. */
  uploadGate: Gate;
};

// Loaded with the first answer: refusals do without it, and without zod.
const loadAnswerStore = lazy(() => import("./answers/store.ts"));

/** The services as the environment describes them. */
export function createServices(env: Env = readEnv(), overrides: Partial<Services> = {}): Services {
  const core = createCoreServices(env, overrides);
  const { database, timeouts } = core;
  const services: Services = {
    ...core,
    limiter: env.upstash && createUpstashLimiter(env.upstash, timeouts.limiter),
    seenKeys: createSeenKeys(),
    invalidKeys: createInvalidKeyGuard(),
    clientAddressHeader: env.clientAddressHeader,
    verifyBearer: createBearerVerifier(env, timeouts.keySet),
    journal: createAnswerJournal(
      async (answers) => (await loadAnswerStore()).saveAnswers(database, answers),
      core.createLog({}),
      { interval: timeouts.flush, patience: timeouts.save },
    ),
    answers: createAnswerReader(
      async (asked) => (await loadAnswerStore()).readAnswers(database, asked),
      timeouts.poll,
    ),
    uploadGate: createGate(),
    ...overrides,
  };
  if (isOnPlatform()) saveAtEnd(services, services.journal);
  return services;
}
