import type { Ratelimit } from "@upstash/ratelimit";
import type { UpstashEnv } from "../env.ts";
import type { RateLimiter } from "./rate_limiter.ts";

/**
 * Three fixed windows, aligned to the clock, in Redis behind Upstash. Their commands leave as one HTTP request.
 * Every command is atomic in Redis, so never one request too many is admitted. What a refused request took is
 * given back at once; until then a burst of refused ones may weigh on a window that is nearly spent.
 */
export function createUpstashLimiter(env: UpstashEnv, timeout: number): RateLimiter {
  const limiters = new Map<string, Ratelimit>();
  const library = lazy(async () => {
    // Loaded with the first request, to keep it out of the cold start of refusals.
    const [{ Ratelimit }, { Redis }] = await Promise.all([import("@upstash/ratelimit"), import("@upstash/redis")]);
    return {
      Ratelimit,
      redis: new Redis({
        ...env,
        // A count that was lost on the way may have been made: it is not sent twice, and not waited for.
        retry: { retries: 0 },
        signal: () => AbortSignal.timeout(timeout),
        enableTelemetry: false,
      }),
    };
  });

  async function limiterOf(quota: number, window: "1 m" | "1 h" | "1 d"): Promise<Ratelimit> {
    const { Ratelimit, redis } = await library();
    const name = `${quota}/${window}`;
    let limiter = limiters.get(name);
    if (limiter === undefined) {
      limiter = new Ratelimit({
        redis,
        limiter: Ratelimit.fixedWindow(quota, window),
        prefix: `rate_limit:${window.replace(" ", "")}`,
        timeout,
        ephemeralCache: false,
        analytics: false,
      });
      limiters.set(name, limiter);
    }
    return limiter;
  }

  return {
    async spend(keyId, { perMinute, perHour, perDay }) {
      const windows = await Promise.all([
        limiterOf(perMinute, "1 m"),
        limiterOf(perHour, "1 h"),
        limiterOf(perDay, "1 d"),
      ]);
      const results = await Promise.all(windows.map((window) => window.limit(keyId)));
      // The library lets everything pass when Redis is silent; that is for the caller to decide.
      if (results.some((result) => result.reason === "timeout")) {
        throw new Error("Cannot count: Redis did not answer in time");
      }
      const refusing = results.filter((result) => !result.success);
      if (refusing.length > 0) {
        // A window that has ended meanwhile has nothing to give back to; the next one must not get it.
        const open = windows.filter((_, index) => (results[index]?.reset ?? 0) > Date.now());
        // In vain, it only makes the window tighter than it should be; the refusal stands.
        await Promise.allSettled(open.map((window) => window.limit(keyId, { rate: -1 })));
      }
      // Of a refusal, only the windows that refuse: of the others, what is left was counted before the giving back.
      const [tightest] = (refusing.length > 0 ? refusing : results)
        .toSorted((a, b) => a.remaining - b.remaining || b.reset - a.reset);
      if (tightest === undefined) throw new Error("Cannot count: no window");
      return {
        isAllowed: refusing.length === 0,
        limit: tightest.limit,
        remaining: Math.max(tightest.remaining, 0),
        reset: Math.ceil(tightest.reset / 1000),
        retryAfter: Math.max(Math.ceil((tightest.reset - Date.now()) / 1000), 1),
      };
    },
  };
}

function lazy<Value>(create: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () => value ??= create();
}
