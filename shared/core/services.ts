import { createAnswerReader } from "./answers/answer_reader.ts";
import { openJournal, saveAtEnd } from "./answers/answer_journal.ts";
import { createIssuerFinder, createSeenKeys } from "./auth/seen_keys.ts";
import { createInvalidKeyGuard } from "./auth/invalid_key_guard.ts";
import { createOwnIssuer } from "./auth/bearer_verifier.ts";
import { createBearerVerifier } from "./auth/verify_bearer.ts";
import type { Services } from "./context.ts";
import { createCoreServices } from "./core_services.ts";
import { isOnPlatform } from "./platform.ts";
import { type Env, readEnv } from "../infra/env.ts";
import { createSemaphore } from "../libs/base/semaphore.ts";
import { lazy } from "../libs/base/lazy.ts";
import { createUpstashLimiter } from "../infra/rate_limit/upstash_limiter.ts";
import type { Tracing } from "../libs/telemetry/tracing.ts";
import { createEventReader } from "./events/event_reader.ts";

// Loaded with the first answer: refusals do without it, and without zod.
const loadAnswerStore = lazy(() => import("./answers/store.ts"));
// Loaded with the first stream of events.
const loadEventStore = lazy(() => import("./events/store.ts"));

/** The services as the environment describes them. */
export function createServices(env: Env = readEnv(), overrides: Partial<Services> = {}): Services {
  const core = createCoreServices(env, overrides);
  const { database, timeouts, tracing } = core;
  // These reads are shared by all who wait for them: their calls belong to the trace of none.
  const outside: Tracing["outside"] = tracing?.outside ?? ((read) => read());
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
      (asked) => outside(async () => (await loadAnswerStore()).readAnswers(database, asked)),
      timeouts.poll,
    ),
    events: createEventReader(
      (watched, since) => outside(async () => (await loadEventStore()).readEvents(database, watched, since)),
      { interval: timeouts.watch, patience: timeouts.save },
    ),
    uploadSemaphore: createSemaphore(),
    sheets: { atWork: createSemaphore(), present: createSemaphore() },
    ...overrides,
  };
  if (isOnPlatform()) saveAtEnd(services, services.journal);
  return services;
}
