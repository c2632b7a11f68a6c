import type { Context as HonoContext } from "hono";

/** Replies with JSON that Postgres has built, as it is. */
export function replyWithJsonBytes(c: HonoContext, bytes: Uint8Array<ArrayBuffer>): Response {
  return c.body(bytes, 200, { "Content-Type": "application/json" });
}
