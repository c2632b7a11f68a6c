import type { Context as HonoContext, MiddlewareHandler } from "hono";
import { openAdmission } from "../core/auth/open_admission.ts";
import { readClientAddress } from "../core/auth/invalid_key_guard.ts";
import { readBearer, type ReadKey, readShownKey, type ShownKey } from "../core/auth/shown_key.ts";
import { errors } from "../infra/errors.ts";
import type { IncomingRequest, Services } from "../core/context.ts";
import type { AppEnv } from "./app_env.ts";

/**
 * The first half of authentication, without Postgres: refuses a request whose key has the wrong form or whose bearer token
 * is not valid. Sets `incoming`.
 *
 * The second half is the first call of Postgres, which the handler makes: SQL `admit` checks the key and its limits
 * ({@link Admission.openDatabase}). A reply of a request that nobody has admitted is an error here.
 *
 * @param readKey reads the key from the headers
 */
export function authenticate(services: Services, readKey: ReadKey = readShownKey): MiddlewareHandler<AppEnv> {
  return async function authenticate(c, next) {
    const shown = readKey((name) => c.req.header(name));
    const incoming = openIncoming(c, services, shown);
    const { admission } = incoming;

    // Some clients send an empty header when no user is signed in.
    const authorization = c.req.header("Authorization")?.trim();
    if (authorization) {
      const token = readBearer(authorization);
      if (token === undefined) throw errors.invalidAccessToken();
      // Without a session, Supabase clients send the key that stands in `apikey`.
      const isKey = token === shown.apiKey;
      const verified = isKey ? null : await services.verifyBearer(token, () => services.findIssuers(admission.digest));
      // Its user has let the app in to talk to coaches, and to nothing else.
      if (verified?.isOfApp) throw errors.invalidAccessToken();
      if (verified !== null) admission.signIn(verified.user);
      incoming.userId = verified && verified.user.id;
    }
    if (incoming.userId === null && admission.isPublishable) throw errors.signInFirst();
    await next();
    requireAdmitted(c);
  };
}

/** Sets `incoming` for a request that shows a key. @throws as `openAdmission` does */
export function openIncoming(c: HonoContext<AppEnv>, services: Services, shown: ShownKey): IncomingRequest {
  const { clientAddressHeader } = services;
  const [requestId, log] = [c.get("requestId"), c.get("log")];
  const address = clientAddressHeader === null ? undefined : readClientAddress(c.req.header(clientAddressHeader));
  const admission = openAdmission(services, { ...shown, address }, log);
  const incoming: IncomingRequest = { services, admission, userId: null, requestId, log };
  c.set("incoming", incoming);
  return incoming;
}

/** @throws {Error} for the reply to a request that nobody has admitted */
export function requireAdmitted(c: HonoContext<AppEnv>): void {
  if (c.error === undefined && c.get("incoming").admission.key === null) {
    throw new Error("Nobody has admitted this request");
  }
}
