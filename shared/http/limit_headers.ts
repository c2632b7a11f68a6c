import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "./app_env.ts";

/**
 * Shows what a request has left of its limits, on every reply to one whose key is valid. Where a publishable key signs
 * nobody in, that is what all its users share.
 */
export const limitHeaders: MiddlewareHandler<AppEnv> = async function limitHeaders(c, next) {
  await next();
  const spent = c.get("incoming")?.admission.spent;
  if (!spent) return;
  const { headers } = c.res;
  headers.set("X-RateLimit-Limit", String(spent.limit));
  headers.set("X-RateLimit-Remaining", String(spent.remaining));
  headers.set("X-RateLimit-Reset", String(spent.reset));
};
