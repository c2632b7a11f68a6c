/** The most requests of three windows. */
export type Quotas = { perMinute: number; perHour: number; perDay: number };

/** Three windows that are counted under one name. */
export type Counter = { name: string; quotas: Quotas };

/** The effect of one request on its windows; the numbers describe the tightest of them. */
export type Spent = {
  isAllowed: boolean;
  limit: number;
  remaining: number;
  /** The end of the window, in seconds since 1970. */
  reset: number;
  /** Seconds until then, at least 1. */
  retryAfter: number;
};

/** Counts requests outside of Postgres. */
export interface RateLimiter {
  /**
   * Spends one request of all counters, or of none where one of them has no room. What it did is described by the last
   * counter or, where it is refused, by the widest that refuses or another one.
   *
   * @param counters the widest first
   * @throws {Error} when Upstash does not answer in time.
   */
  spend(counters: [widest: Counter, ...narrower: Counter[]]): Promise<Spent>;
  /** Returns whether a counter has room for one request, without spending it. @throws {Error} as `spend` does. */
  look(counter: Counter): Promise<Spent>;
}
