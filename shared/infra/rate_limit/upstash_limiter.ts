import type { Ratelimit } from "@upstash/ratelimit";
import type { UpstashEnv } from "../env.ts";
import { lazy } from "../../libs/base/lazy.ts";
import type { Counter, RateLimiter, Spent } from "./rate_limiter.ts";

/**
 * Three fixed windows, aligned to the clock, in Redis behind Upstash. The commands for what all users of a key share leave
 * as one HTTP request, and those for anything narrower as another before it. Every command is atomic in Redis, so no
 * window admits a request too many. A refused request immediately returns what it took from the other windows. Until
 * then, many concurrent refusals may make a window look more spent than it is.
 */
export function createUpstashLimiter(env: UpstashEnv, timeout: number): RateLimiter {
  const limiters = new Map<string, Ratelimit>();
  const library = lazy(async () => {
    // Loaded with the first request: refusals start without it.
    const { Ratelimit, Redis } = await import("./upstash_library.ts");
    return {
      Ratelimit,
      redis: new Redis({
        ...env,
        // A command whose reply was lost may have been counted, so it is not sent again.
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

  /** The windows of a counter, and what they say after `rate` requests were spent. */
  async function spendWindows({ name, quotas }: Counter, rate: number): Promise<SpentWindow[]> {
    const windows = await Promise.all([
      limiterOf(quotas.perMinute, "1 m"),
      limiterOf(quotas.perHour, "1 h"),
      limiterOf(quotas.perDay, "1 d"),
    ]);
    const limits = [quotas.perMinute, quotas.perHour, quotas.perDay];
    return await Promise.all(windows.map(async (window, index) => {
      const result = await window.limit(name, { rate });
      // The library admits everything when Redis is silent, and takes any reply for a count: one without figures would
      // refuse everybody, or nobody.
      if (result.limit !== limits[index] || !Number.isInteger(result.remaining)) {
        throw new Error("Cannot count: the reply holds no count");
      }
      return { ...result, giveBack: () => window.limit(name, { rate: -rate }) };
    }));
  }

  return {
    async spend([widest, ...narrower]) {
      // The widest last: what the others refuse must not take from it, not even for a moment.
      const taken = await Promise.all(narrower.map((counter) => spendWindows(counter, 1)));
      const isRefusedBefore = taken.flat().some(({ success }) => !success);
      if (!isRefusedBefore) taken.unshift(await spendWindows(widest, 1));
      const refusing = taken.flat().filter(({ success }) => !success);
      if (refusing.length === 0) return describe(taken.at(-1) ?? [], true);
      // To a window that has ended nothing is given back: the next one would get it.
      const open = taken.flat().filter(({ reset }) => reset > Date.now());
      // If this fails, the window is tighter than it should be, and the request is refused all the same.
      const [wider] = await Promise.all([
        isRefusedBefore ? this.look(widest) : null,
        Promise.allSettled(open.map(({ giveBack }) => giveBack())),
      ]);
      // A refusal shows only windows that refuse: the others were counted before they got back what was taken.
      return wider?.isAllowed === false ? wider : describe(refusing, false);
    },
    async look(counter) {
      const windows = await spendWindows(counter, 0);
      return describe(windows, windows.every(({ remaining }) => remaining > 0));
    },
  };
}

type SpentWindow = Awaited<ReturnType<Ratelimit["limit"]>> & { giveBack: () => Promise<unknown> };

/** Describes the window with the least left and, among equals, the one that frees last. */
function describe(windows: SpentWindow[], isAllowed: boolean): Spent {
  const [tightest] = windows.toSorted((a, b) => a.remaining - b.remaining || b.reset - a.reset);
  if (tightest === undefined) throw new Error("Cannot count: no window");
  return {
    isAllowed,
    limit: tightest.limit,
    remaining: Math.max(tightest.remaining, 0),
    reset: Math.ceil(tightest.reset / 1000),
    retryAfter: Math.max(Math.ceil((tightest.reset - Date.now()) / 1000), 1),
  };
}
