import type { Context as HonoContext, MiddlewareHandler } from "hono";
import { admitRequest } from "../auth/admit_request.ts";
import type { Caller } from "../context.ts";
import { errors } from "../errors.ts";
import type { Services } from "../services.ts";
import type { AppEnv } from "./app_env.ts";

/** Admits requests with a valid key within its limits and, where a bearer token is sent, a valid one. Sets `ctx`. */
export function authenticate(services: Services): MiddlewareHandler<AppEnv> {
  return async function authenticate(c, next) {
    const { requestId, log } = c.var;
    const visitor = { apiKey: c.req.header("X-API-Key"), address: addressOf(c) };
    const { key, spent } = await admitRequest(services, visitor, log);
    const caller: Caller = { ...key, userId: null };
    c.set("ctx", { services, caller, requestId, log });
    c.header("X-RateLimit-Limit", String(spent.limit));
    c.header("X-RateLimit-Remaining", String(spent.remaining));
    c.header("X-RateLimit-Reset", String(spent.reset));
    if (!spent.isAllowed) throw errors.rateLimitExceeded(spent.retryAfter);

    // Some clients send the header empty where nobody is signed in.
    const authorization = c.req.header("Authorization")?.trim();
    if (authorization) {
      const [, token] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
      if (token === undefined) throw errors.invalidAccessToken();
      caller.userId = await services.verifyBearer(token);
    }
    await next();
  };
}

/**
 * Where a request comes from, as the platform's own proxies say: Cloudflare in front of a hosted project, Kong in front
 * of one of your own. `X-Forwarded-For` is what a client likes it to be; where no proxy overwrites them, so are the
 * others, and what is no address counts as none.
 */
function addressOf(c: HonoContext): string | undefined {
  const address = c.req.header("CF-Connecting-IP") ?? c.req.header("X-Real-IP");
  return address !== undefined && /^[\da-f.:]{2,45}$/i.test(address) ? address : undefined;
}
