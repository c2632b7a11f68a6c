// Apart from idempotency_key.ts: the indexer names this type, and its upload has no room for the package that hashes.

/** An idempotency key, and the fingerprint of what it was sent with. */
export type RequestIdentity = {
  idempotencyKey?: string;
  fingerprint?: string;
  /** The time for which an earlier request with the key counts as the same; left out, 24 hours. */
  keyLastsSeconds?: number;
};
