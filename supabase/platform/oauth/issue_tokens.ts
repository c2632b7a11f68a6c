import { refuse, refuseGrant } from "./errors.ts";
import { authenticateClient, digest, randomText } from "./register_client.ts";
import type { Authorization, OAuthClient, OAuthSession, OAuthStore } from "./store.ts";

/** A user of Auth, as tokens describe them. */
export type TokenUser = { id: string; email: string; isAnonymous: boolean };

/** The parts of the authorization server that this file needs. */
export type TokenOptions = {
  store: OAuthStore;
  /** Signs the claims of an access token. */
  sign: (claims: Record<string, unknown>) => Promise<string>;
  /** A user by id; null for one who was deleted. */
  findUser: (id: string) => Promise<TokenUser | null>;
  now: () => number;
};

/** The lifetime of access tokens in seconds. */
const lifetime = 3_600;
/** A refresh token may be used again within this time, in milliseconds, by clients that refresh twice at the same time. */
const reuseInterval = 10_000;

/** `POST /auth/v1/oauth/token` */
export async function issueTokens(options: TokenOptions, request: Request): Promise<Response> {
  const form = await readForm(request);
  const client = await authenticateClient(options.store, request, form);
  if (client instanceof Response) return client;
  const grant = form.get("grant_type") ?? "";
  if (grant === "") return refuseGrant("invalid_request", "grant_type is required");
  if (!client.grantTypes.includes(grant)) {
    return refuseGrant("unsupported_grant_type", `Client is not allowed to use grant type: ${grant}`);
  }
  return grant === "authorization_code"
    ? await exchangeCode(options, client, form)
    : await refresh(options, client, form.get("refresh_token") ?? "");
}

async function readForm(request: Request): Promise<URLSearchParams> {
  const text = await request.text();
  if (!request.headers.get("Content-Type")?.includes("application/json")) return new URLSearchParams(text);
  try {
    return new URLSearchParams(JSON.parse(text));
  } catch {
    return new URLSearchParams();
  }
}

async function exchangeCode(options: TokenOptions, client: OAuthClient, form: URLSearchParams): Promise<Response> {
  const { store, findUser, now } = options;
  const get = (name: string) => form.get(name) ?? "";
  if (get("code") === "") return refuseGrant("invalid_request", "code is required for authorization_code grant");
  const authorization = store.authorizations.find(({ code }) => code === get("code"));
  if (authorization === undefined) return refuseGrant("invalid_grant", "Invalid authorization code");
  const trouble = await findTrouble(authorization, client, { get, now: now() });
  if (trouble !== null) return refuseGrant("invalid_grant", trouble);
  const user = authorization.userId && await findUser(authorization.userId);
  if (!user) return refuseGrant("invalid_grant", "User not found for authorization code");
  // A code works once, also where two requests use it at the same time.
  if (!store.authorizations.includes(authorization)) return refuseGrant("invalid_grant", "Invalid authorization code");
  store.authorizations = store.authorizations.filter((other) => other !== authorization);
  const session: OAuthSession = {
    id: crypto.randomUUID(),
    userId: user.id,
    clientId: client.id,
    scope: authorization.scope,
    startedAt: Math.floor(now() / 1_000),
    refreshTokens: [randomText(16)],
    refreshedAt: now(),
  };
  store.sessions.push(session);
  await store.save();
  return await reply(options, session, user);
}

async function findTrouble(
  { clientId, expiresAt, resource, redirectUri, codeChallenge, codeChallengeMethod }: Authorization,
  client: OAuthClient,
  { get, now }: { get: (name: string) => string; now: number },
): Promise<string | null> {
  if (expiresAt <= now) return "Authorization code has expired";
  if (clientId !== client.id) return "Authorization code was not issued for this client";
  if (get("resource") !== "" && get("resource") !== resource) {
    return "Authorization code resource does not match the resource parameter";
  }
  if (get("redirect_uri") !== "" && get("redirect_uri") !== redirectUri) return "Invalid redirect_uri";
  const verifier = get("code_verifier");
  if (verifier === "") return "PKCE verification failed: code_verifier is required when PKCE challenge is present";
  const challenge = codeChallengeMethod === "plain" ? verifier : await digest(verifier);
  if (challenge === codeChallenge) return null;
  return "PKCE verification failed: code challenge does not match previously saved code verifier";
}

async function refresh(options: TokenOptions, client: OAuthClient, token: string): Promise<Response> {
  const { store, findUser, now } = options;
  if (token === "") return refuseGrant("invalid_request", "refresh_token is required for refresh_token grant");
  const session = store.sessions.find(({ refreshTokens }) => refreshTokens.includes(token));
  const user = session && await findUser(session.userId);
  if (session === undefined || !user || !store.sessions.includes(session)) {
    return refuse(400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found");
  }
  if (session.clientId !== client.id) {
    return refuseGrant("invalid_client", "Client does not match the session's OAuth client");
  }
  const uses = session.refreshTokens.length - 1 - session.refreshTokens.indexOf(token);
  if (uses === 0) {
    session.refreshTokens.push(randomText(16));
    session.refreshedAt = now();
  } else if (uses > 1 && now() > session.refreshedAt + reuseInterval) {
    // Somebody else has the token as well. With the token before the present one, the client has only lost a reply.
    store.sessions = store.sessions.filter((other) => other !== session);
    await store.save();
    return refuse(400, "refresh_token_already_used", "Invalid Refresh Token: Already Used");
  }
  await store.save();
  return await reply(options, session, user);
}

async function reply({ sign, now }: TokenOptions, session: OAuthSession, user: TokenUser): Promise<Response> {
  const seconds = Math.floor(now() / 1_000);
  const access_token = await sign({
    sub: user.id,
    aud: "authenticated",
    role: "authenticated",
    email: user.email,
    phone: "",
    app_metadata: {},
    user_metadata: {},
    aal: "aal1",
    amr: [{ method: "oauth_provider/authorization_code", timestamp: session.startedAt }],
    session_id: session.id,
    is_anonymous: user.isAnonymous,
    client_id: session.clientId,
    scope: session.scope,
    iat: seconds,
    exp: seconds + lifetime,
  });
  return Response.json({
    access_token,
    token_type: "bearer",
    expires_in: lifetime,
    refresh_token: session.refreshTokens.at(-1),
  });
}
