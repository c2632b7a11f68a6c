import type { MiddlewareHandler } from "hono";
import { openAdmission } from "../auth/admission.ts";
import { readClientAddress } from "../auth/client_address.ts";
import { errors } from "../errors.ts";
import type { Services } from "../context.ts";
import type { AppEnv } from "./app_env.ts";

/**
 * Lets requests through that show what can be a key and, where a bearer token is sent, a valid one. Sets `visit`; the
 * handler has the request admitted, and no reply but a refusal leaves before that.
 */
export function authenticate(services: Services): MiddlewareHandler<AppEnv> {
  const { clientAddressHeader } = services;
  return async function authenticate(c, next) {
    const { requestId, log } = c.var;
    const address = clientAddressHeader === null ? undefined : readClientAddress(c.req.header(clientAddressHeader));
    const admission = openAdmission(services, { apiKey: c.req.header("X-API-Key"), address }, log);
    const visit = { services, admission, userId: null as string | null, requestId, log };
    c.set("visit", visit);

    // Some clients send an empty header when no user is signed in.
    const authorization = c.req.header("Authorization")?.trim();
    if (authorization) {
      const [, token] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
      if (token === undefined) throw errors.invalidAccessToken();
      visit.userId = await services.verifyBearer(token);
    }
    await next();
    if (c.error === undefined && admission.key === null) throw new Error("Nobody has admitted this request");
  };
}
