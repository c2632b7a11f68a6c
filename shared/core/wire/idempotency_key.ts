import * as z from "zod/mini";
import { sha256Hex } from "../auth/digest.ts";
import type { RequestIdentity } from "./ids.ts";

const keyPattern = /^[\x20-\x7e]{1,255}$/;

/** The key that makes a request safe to repeat: the header `Idempotency-Key`. */
export const IdempotencyKey = z.optional(
  z.string().check(z.regex(keyPattern, "Idempotency-Key must be 1 to 255 printable ASCII characters")),
);

/** The same key as a field of a body: browsers cannot send the header to another origin. */
export const IdempotencyKeyField = z.nullish(
  z.string("idempotency_key must be a string").check(
    z.regex(keyPattern, "idempotency_key must be 1 to 255 printable ASCII characters"),
  ),
);

/** A key with the fingerprint of what was asked; nothing without a key. */
export function identifyRequest(key: string | undefined, asked: unknown): RequestIdentity {
  return key === undefined ? {} : { idempotencyKey: key, fingerprint: sha256Hex(JSON.stringify(asked)) };
}

/** The same as the SQL functions take it. */
export function identityColumns(key: string | undefined, asked: unknown) {
  const { idempotencyKey = null, fingerprint = null } = identifyRequest(key, asked);
  return { idempotency_key: idempotencyKey, fingerprint };
}
