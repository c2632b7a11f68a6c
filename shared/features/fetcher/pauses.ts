import type { FetchWork } from "./store.ts";

/** The milliseconds between two requests to a host on the internet. */
export const usualPause = 500;
/** A site may ask for longer pauses than usual, up to this. */
const longestPause = 10_000;
/** A server that is busy may ask for a longer break. */
const longestBreak = 60 * 60_000;

/** The pauses that a site has asked for, in seconds. */
export type Pauses = { crawlDelay: number | null; retryAfter: number | null };

/** The milliseconds until the host of a list or page may be asked again. */
export function pauseOf({ isPrivate }: FetchWork, { crawlDelay, retryAfter }: Pauses): number {
  const asked = retryAfter === null ? 0 : Math.min(retryAfter * 1_000, longestBreak);
  if (isPrivate) return asked;
  return Math.round(Math.max(asked, usualPause, Math.min((crawlDelay ?? 0) * 1_000, longestPause)));
}
