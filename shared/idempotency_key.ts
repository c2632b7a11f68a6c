import * as z from "zod/mini";

/** The header `Idempotency-Key`, or nothing where it is not sent. */
export const IdempotencyKey = z.optional(
  z.string().check(z.regex(/^[\x20-\x7e]{1,255}$/, "Idempotency-Key must be 1 to 255 printable ASCII characters")),
);
