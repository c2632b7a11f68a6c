import type { MiddlewareHandler } from "hono";
import { errors } from "../infra/errors.ts";
import { readBearer } from "../core/auth/shown_key.ts";
import type { AppEnv } from "./app_env.ts";

/** Admits requests with a secret key of the project, as `apikey` or as bearer: those of its own clock and functions. */
export function requireSecretKey(secretKeys: string[]): MiddlewareHandler<AppEnv> {
  return async function requireSecretKey(c, next) {
    const shown = c.req.header("apikey") ?? readBearer(c.req.header("Authorization")) ?? "";
    if (shown === "") throw errors.invalidSecretKey();
    // Loaded here, since it takes a while on newer versions of Deno: a refusal without a key does without it.
    const { createHash, timingSafeEqual } = await import("node:crypto");
    const digestOf = (key: string) => createHash("sha256").update(key).digest();
    // Digests all have one length: the time that it takes to compare them says nothing about the keys.
    const digest = digestOf(shown);
    if (!secretKeys.some((key) => timingSafeEqual(digestOf(key), digest))) throw errors.invalidSecretKey();
    await next();
  };
}
