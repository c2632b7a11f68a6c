import * as store from "./store.ts";
import type { FoundKey } from "./store.ts";
import type { Database } from "../../infra/db/database.ts";
import type { TokenIssuer } from "./bearer_verifier.ts";

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

/** Remembers for a minute what was found out about each key, by the milliseconds of `now`. */
function rememberKeys<Found>(now: () => number = () => performance.now()): SeenKeys<Found> {
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

/** The token issuers of the account of a key, by the key's digest; none for a key that is not valid. */
export type FindIssuers = (keyDigest: string) => Promise<TokenIssuer[]>;

/**
 * Asks Postgres for the issuers once a minute for each key. Whether the key is still valid is asked again with every
 * request, by the call that does the work.
 *
 * @param now milliseconds since any instant
 */
export function createIssuerFinder(database: Database, now?: () => number): FindIssuers {
  const seen = rememberKeys<Promise<TokenIssuer[]>>(now);

  async function find(digest: string): Promise<TokenIssuer[]> {
    try {
      const issuers = await store.findTokenIssuers(database, digest);
      if (issuers !== null) return issuers;
    } catch (error) {
      seen.forget(digest);
      throw error;
    }
    // Invented keys must not fill the memory, and a new key is valid immediately.
    seen.forget(digest);
    return [];
  }

  return (digest) => {
    const known = seen.get(digest);
    if (known !== undefined) return known;
    const found = find(digest);
    seen.set(digest, found);
    return found;
  };
}
