import type { FoundKey } from "./store.ts";

/** Remembers what was found out about keys that were seen a moment ago: their limits, or something else. */
export interface SeenKeys<Found = FoundKey> {
  get(digest: string): Found | undefined;
  set(digest: string, key: Found): void;
  forget(digest: string): void;
}

const maxAge = 60_000;
const maxKeys = 10_000;

/**
 * Remembers each key for a minute, so that Upstash can count without Postgres being asked first. The minute is only about
 * its limits: whether the key is still valid is asked again with every request, by the call that does the work.
 *
 * @param now milliseconds since any instant
 */
export function createSeenKeys(now?: () => number): SeenKeys {
  return rememberKeys<FoundKey>(now);
}

/**
 * Remembers for a minute what was found out about each key.
 *
 * @param now milliseconds since any instant
 */
export function rememberKeys<Found>(now: () => number = () => performance.now()): SeenKeys<Found> {
  const seen = new Map<string, { key: Found; until: number }>();
  return {
    get(digest) {
      const entry = seen.get(digest);
      if (entry === undefined || now() < entry.until) return entry?.key;
      seen.delete(digest);
      return undefined;
    },
    set(digest, key) {
      seen.delete(digest);
      // The oldest comes first.
      const [oldest] = seen.size < maxKeys ? [] : seen.keys();
      if (oldest !== undefined) seen.delete(oldest);
      seen.set(digest, { key, until: now() + maxAge });
    },
    forget: (digest) => void seen.delete(digest),
  };
}
