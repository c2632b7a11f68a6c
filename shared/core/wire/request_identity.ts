/** An idempotency key, and the fingerprint of what it was sent with. */
export type RequestIdentity = { idempotencyKey?: string; fingerprint?: string };
