/** The three quotas of an API key. */
export type Quotas = { perMinute: number; perHour: number; perDay: number };

/** What one request did to the windows of its key; the numbers describe the tightest window. */
export type Spent = {
  isAllowed: boolean;
  limit: number;
  remaining: number;
  /** When the window ends: seconds since 1970. */
  reset: number;
  /** Seconds until then, at least 1. */
  retryAfter: number;
};

/** Counts requests outside of Postgres. */
export interface RateLimiter {
  /** Spends one request of a key. @throws {Error} when the counter does not answer in time. */
  spend(keyId: string, quotas: Quotas): Promise<Spent>;
}
