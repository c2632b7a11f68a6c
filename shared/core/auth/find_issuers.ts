import * as store from "./store.ts";
import type { Database } from "../../infra/db/database.ts";
import type { TokenIssuer } from "./bearer_verifier.ts";
import { rememberKeys } from "./seen_keys.ts";

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
