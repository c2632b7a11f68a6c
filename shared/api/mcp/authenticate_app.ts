import type { MiddlewareHandler } from "hono";
import type { VerifiedToken } from "../../core/auth/bearer_verifier.ts";
import { readBearer } from "../../core/auth/shown_key.ts";
import { ApiError, errors } from "../../infra/errors.ts";
import type { Services } from "../../core/context.ts";
import type { AppEnv } from "../../http/app_env.ts";
import { openIncoming, requireAdmitted } from "../../http/authenticate.ts";
import { readKeyInPath, resourceOf } from "./addresses.ts";

/**
 * The first half of authentication where the key is part of the address. The user has to be signed in to an AI client with
 * OAuth, by the project's own Auth: the token names that client. Other headers with keys are ignored.
 *
 * Without a valid token, the reply says where to sign in (RFC 9728). It says so to pages of every origin: those that may
 * use the key are only checked for a user who is signed in.
 */
export function authenticateApp(services: Services): MiddlewareHandler<AppEnv> {
  return async function authenticateApp(c, next) {
    const apiKey = readKeyInPath(c.req.path);
    if (apiKey === undefined) throw errors.notFound();
    if (apiKey.startsWith("hi_live_")) throw errors.secretKeyInAddress();
    const page = { origin: c.req.header("Origin") ?? null, isSameOrigin: false, isForMcp: true };
    const incoming = openIncoming(c, services, { apiKey, page });
    const challenge = `Bearer resource_metadata="${resourceOf(services, apiKey).metadataUrl}"`;

    const authorization = c.req.header("Authorization")?.trim();
    if (!authorization) throw errors.appMustSignIn(challenge);
    const verified = await verify(services, readBearer(authorization)).catch((error) => {
      throw error instanceof ApiError && error.status === 401 ? errors.invalidAppToken(challenge, error.cause) : error;
    });
    // A user's own token, as pages have it: nobody has agreed to an AI client.
    if (!verified?.isOfApp) throw errors.invalidAppToken(challenge);
    incoming.admission.signIn(verified.user);
    incoming.userId = verified.user.id;
    await next();
    requireAdmitted(c);
  };
}

async function verify({ verifyBearer }: Services, token: string | undefined): Promise<VerifiedToken | null> {
  // An account may agree to other issuers of tokens, but their apps are not known here.
  return token === undefined ? null : await verifyBearer(token, () => Promise.resolve([]));
}
