import { createAnswerReader } from "./answers/answer_reader.ts";
import { openJournal, saveAtEnd } from "./answers/answer_journal.ts";
import { createIssuerFinder } from "./auth/find_issuers.ts";
import { createInvalidKeyGuard } from "./auth/invalid_key_guard.ts";
import { createSeenKeys } from "./auth/seen_keys.ts";
import { createOwnIssuer } from "./auth/own_issuer.ts";
import { createBearerVerifier } from "./auth/verify_bearer.ts";
import type { Services } from "./context.ts";
import { createCoreServices, isOnPlatform } from "./core_services.ts";
import { type Env, readEnv } from "../infra/env.ts";
import { createSemaphore } from "../base/semaphore.ts";
import { lazy } from "../base/lazy.ts";
import { createUpstashLimiter } from "../infra/rate_limit/upstash_limiter.ts";
import { createEventReader } from "./watch/event_reader.ts";

// Loaded with the first answer: refusals do without it, and without zod.
const loadAnswerStore = lazy(() => import("./answers/store.ts"));
// Loaded with the first stream of events.
const loadEventStore = lazy(() => import("./watch/store.ts"));

/** The services as the environment describes them. */
export function createServices(env: Env = readEnv(), overrides: Partial<Services> = {}): Services {
  const core = createCoreServices(env, overrides);
  const { database, timeouts } = core;
  const ownIssuer = createOwnIssuer(env, timeouts.keySet);
  const services: Services = {
    ...core,
    limiter: env.upstash && createUpstashLimiter(env.upstash, timeouts.limiter),
    seenKeys: createSeenKeys(),
    invalidKeys: createInvalidKeyGuard(),
    clientAddressHeader: env.clientAddressHeader,
    verifyBearer: createBearerVerifier(env, timeouts.keySet, ownIssuer),
    ownIssuer,
    findIssuers: createIssuerFinder(database),
    journal: openJournal(core),
    answers: createAnswerReader(
      async (asked) => (await loadAnswerStore()).readAnswers(database, asked),
      timeouts.poll,
    ),
    events: createEventReader(
      async (watched, since) => (await loadEventStore()).readEvents(database, watched, since),
      { interval: timeouts.watch, patience: timeouts.save },
    ),
    uploadSemaphore: createSemaphore(),
    ...overrides,
  };
  if (isOnPlatform()) saveAtEnd(services, services.journal);
  return services;
}
