import * as z from "zod/mini";
import { sha256Hex } from "../auth/sha256_hex.ts";

/** The header `Idempotency-Key`, or nothing where it is not sent. */
export const IdempotencyKey = z.optional(
  z.string().check(z.regex(/^[\x20-\x7e]{1,255}$/, "Idempotency-Key must be 1 to 255 printable ASCII characters")),
);

/** A key, and what it was sent with, as the SQL functions take them. */
export type RequestIdentity = { idempotency_key?: string; fingerprint?: string };

/** What tells a request from others with its key; nothing without a key. */
export async function identifyRequest(key: string | undefined, asked: unknown): Promise<RequestIdentity> {
  return key === undefined ? {} : { idempotency_key: key, fingerprint: await sha256Hex(JSON.stringify(asked)) };
}
