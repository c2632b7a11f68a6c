import { createDoor, type Door } from "./auth/door.ts";
import { createBearerVerifier, type VerifyBearer } from "./auth/verify_bearer.ts";
import { type AnswerReader, createAnswerReader } from "./chat/answer_reader.ts";
import { saveAtEnd } from "./chat/save_at_end.ts";
import { createTurnJournal, type TurnJournal } from "./chat/turn_journal.ts";
import { type CoreServices, createCoreServices, isOnPlatform } from "./core_services.ts";
import { type Env, readEnv } from "./env.ts";
import type { RateLimiter } from "./rate_limit/rate_limiter.ts";
import { createUpstashLimiter } from "./rate_limit/upstash_limiter.ts";

/** All that the verbs reach outside of themselves. Built once per process; tests build their own. */
export type Services = CoreServices & {
  /** Null: Postgres counts requests, in the round trip that checks the key. */
  limiter: RateLimiter | null;
  door: Door;
  verifyBearer: VerifyBearer;
  journal: TurnJournal;
  answers: AnswerReader;
};

/** The services as the environment describes them. */
export function createServices(env: Env = readEnv(), overrides: Partial<Services> = {}): Services {
  const core = createCoreServices(env, overrides);
  const { database, timeouts } = core;
  const services: Services = {
    ...core,
    limiter: env.upstash && createUpstashLimiter(env.upstash, timeouts.limiter),
    door: createDoor(),
    verifyBearer: createBearerVerifier(env, timeouts.keySet),
    journal: createTurnJournal(database, core.createLog({}), { interval: timeouts.flush, patience: timeouts.save }),
    answers: createAnswerReader(database, timeouts.poll),
    ...overrides,
  };
  if (isOnPlatform()) saveAtEnd(services);
  return services;
}
