import type { MiddlewareHandler } from "hono";
import { openAdmission } from "../core/auth/open_admission.ts";
import { readClientAddress } from "../core/auth/invalid_key_guard.ts";
import { readBearer, type ReadKey, readShownKey } from "../core/auth/shown_key.ts";
import { errors } from "../base/errors.ts";
import type { Services } from "../core/context.ts";
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
  const { clientAddressHeader } = services;
  return async function authenticate(c, next) {
    const [requestId, log] = [c.get("requestId"), c.get("log")];
    const address = clientAddressHeader === null ? undefined : readClientAddress(c.req.header(clientAddressHeader));
    const shown = readKey((name) => c.req.header(name));
    const admission = openAdmission(services, { ...shown, address }, log);
    const incoming = { services, admission, userId: null as string | null, requestId, log };
    c.set("incoming", incoming);

    // Some clients send an empty header when no user is signed in.
    const authorization = c.req.header("Authorization")?.trim();
    if (authorization) {
      const token = readBearer(authorization);
      if (token === undefined) throw errors.invalidAccessToken();
      // Without a session, Supabase clients send the key that stands in `apikey`.
      const isKey = token === shown.apiKey;
      const user = isKey ? null : await services.verifyBearer(token, () => services.findIssuers(admission.digest));
      if (user !== null) admission.signIn(user);
      incoming.userId = user && user.id;
    }
    if (incoming.userId === null && admission.isPublishable) throw errors.signInFirst();
    await next();
    if (c.error === undefined && admission.key === null) throw new Error("Nobody has admitted this request");
  };
}
