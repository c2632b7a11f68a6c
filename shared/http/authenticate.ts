import type { MiddlewareHandler } from "hono";
import { admitRequest } from "../auth/admit_request.ts";
import { readClientAddress } from "../auth/client_address.ts";
import type { Caller } from "../context.ts";
import { errors } from "../errors.ts";
import type { Services } from "../services.ts";
import type { AppEnv } from "./app_env.ts";

/** Admits requests with a valid key within its limits and, where a bearer token is sent, a valid one. Sets `ctx`. */
export function authenticate(services: Services): MiddlewareHandler<AppEnv> {
  const { clientAddressHeader } = services;
  return async function authenticate(c, next) {
    const { requestId, log } = c.var;
    const address = clientAddressHeader === null ? undefined : readClientAddress(c.req.header(clientAddressHeader));
    const visitor = { apiKey: c.req.header("X-API-Key"), address };
    const { key, spent } = await admitRequest(services, visitor, log);
    const caller: Caller = { ...key, userId: null };
    c.set("ctx", { services, caller, requestId, log });
    c.header("X-RateLimit-Limit", String(spent.limit));
    c.header("X-RateLimit-Remaining", String(spent.remaining));
    c.header("X-RateLimit-Reset", String(spent.reset));
    if (!spent.isAllowed) throw errors.rateLimitExceeded(spent.retryAfter);

    // Some clients send an empty header when no user is signed in.
    const authorization = c.req.header("Authorization")?.trim();
    if (authorization) {
      const [, token] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
      if (token === undefined) throw errors.invalidAccessToken();
      caller.userId = await services.verifyBearer(token);
    }
    await next();
  };
}
