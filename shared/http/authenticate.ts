import type { MiddlewareHandler } from "hono";
import { openAdmission } from "../core/auth/open_admission.ts";
import { readClientAddress } from "../core/auth/client_address.ts";
import { type ReadKey, readShownKey } from "../core/auth/shown_key.ts";
import { errors } from "../base/errors.ts";
import type { Services } from "../core/context.ts";
import type { AppEnv } from "./app_env.ts";

/**
 * Lets requests through that show what can be a key and, where a bearer token is sent, a valid one. Sets `visit`; the
 * handler has the request admitted, and no reply but a refusal leaves before that.
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
    const visit = { services, admission, userId: null as string | null, requestId, log };
    c.set("visit", visit);

    // Some clients send an empty header when no user is signed in.
    const authorization = c.req.header("Authorization")?.trim();
    if (authorization) {
      const [, token] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
      if (token === undefined) throw errors.invalidAccessToken();
      // Without a session, Supabase clients send the key that stands in `apikey`.
      const isKey = token === shown.apiKey;
      visit.userId = isKey ? null : await services.verifyBearer(token, () => services.findIssuers(admission.digest));
    }
    if (visit.userId !== null) admission.signIn(visit.userId);
    else if (admission.isPublishable) throw errors.signInFirst();
    await next();
    if (c.error === undefined && admission.key === null) throw new Error("Nobody has admitted this request");
  };
}
