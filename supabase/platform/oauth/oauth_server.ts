import { importJWK, type JWK, type JWTPayload, jwtVerify, SignJWT } from "jose";
import { publicKeySet } from "../asymmetric_tokens.ts";
import {
  authorize,
  type AuthorizeOptions,
  type ConsentingUser,
  decide,
  describeClient,
  showAuthorization,
  supportedScopes,
} from "./authorize.ts";
import { refuse } from "./errors.ts";
import { issueTokens, type TokenOptions, type TokenUser } from "./issue_tokens.ts";
import { registerClient } from "./register_client.ts";
import type { OAuthStore } from "./store.ts";

/** The path of the consent page below the site's address; the same in config.toml. */
export const consentPath = "/oauth/consent/";

/** Options of {@link withOAuthServer}. */
export type OAuthServerOptions = {
  /** `iss` of the tokens, and the address of Auth. */
  issuer: string;
  /** Address of the site with the consent page. */
  siteUrl: string;
  signingKey: JWK;
  store: OAuthStore;
  findUser: (id: string) => Promise<TokenUser | null>;
  /** Milliseconds since 1970. */
  now?: () => number;
};

type Fetch = (request: Request) => Promise<Response>;

/**
 * Adds the OAuth 2.1 authorization server of Supabase Auth to the local stack, which `@supabase/lite` does not have:
 * discovery, registration, consent, tokens, and the list of apps with access. Written after the sources of Supabase Auth:
 * the same paths, fields and errors. It has no rate limits and issues no ID tokens. Of Auth's other endpoints, only
 * `GET /user` knows the sessions of apps.
 *
 * @param fetch Auth with the tokens of a hosted project
 */
export async function withOAuthServer(fetch: Fetch, options: OAuthServerOptions): Promise<Fetch> {
  const { issuer, siteUrl, signingKey, store, findUser, now = Date.now } = options;
  const privateKey = await importJWK(signingKey, "ES256") as CryptoKey;
  const publicKey = await importJWK(publicKeySet(signingKey).keys[0]!, "ES256");
  const header = { alg: "ES256", typ: "JWT", kid: signingKey.kid };
  const consenting: AuthorizeOptions = { store, consentUrl: siteUrl.replace(/\/+$/, "") + consentPath, now };
  const issuing: TokenOptions = {
    store,
    findUser,
    now,
    sign: (claims) => new SignJWT({ ...claims, iss: issuer }).setProtectedHeader(header).sign(privateKey),
  };

  /** The claims of a request's token; null without one that is valid. */
  async function readClaims(request: Request): Promise<JWTPayload | null> {
    const [, token = ""] = /^Bearer (.+)$/i.exec(request.headers.get("Authorization") ?? "") ?? [];
    const verified = await jwtVerify(token, publicKey, { algorithms: ["ES256"], currentDate: new Date(now()) })
      .catch(() => null);
    return verified && verified.payload;
  }

  /** True for the token of an app whose access was revoked. Auth refuses it, unlike those who only check signatures. */
  function isRevoked({ client_id, session_id }: JWTPayload): boolean {
    return client_id !== undefined && !store.sessions.some(({ id }) => id === session_id);
  }

  /** The signed-in user of a request, or why it is refused. */
  async function requireUser(request: Request): Promise<ConsentingUser | Response> {
    if (!/^Bearer .+/i.test(request.headers.get("Authorization") ?? "")) {
      return refuse(401, "no_authorization", "This endpoint requires a valid Bearer token");
    }
    const claims = await readClaims(request);
    if (claims === null) return refuse(403, "bad_jwt", "invalid JWT: unable to parse or verify signature");
    if (isRevoked(claims)) return refuseSession();
    const user = await findUser(claims.sub ?? "");
    return user ?? refuse(403, "user_not_found", "User from sub claim in JWT does not exist");
  }

  function listGrants(user: ConsentingUser): Response {
    const own = store.consents.filter(({ userId }) => userId === user.id);
    return Response.json(
      own.toSorted((a, b) => b.grantedAt.localeCompare(a.grantedAt)).flatMap((consent) => {
        const client = store.clients.find(({ id }) => id === consent.clientId);
        if (client === undefined) return [];
        return [{ client: describeClient(client), scopes: consent.scopes, granted_at: consent.grantedAt }];
      }),
    );
  }

  async function revokeGrant(user: ConsentingUser, clientId: string): Promise<Response> {
    if (clientId === "") return refuse(400, "validation_failed", "client_id query parameter is required");
    const isOther = (grant: { userId: string; clientId: string }) =>
      grant.userId !== user.id || grant.clientId !== clientId;
    if (store.consents.every(isOther)) {
      return refuse(404, "oauth_consent_not_found", "No active grant found for this client");
    }
    store.consents = store.consents.filter(isOther);
    store.sessions = store.sessions.filter(isOther);
    await store.save();
    return new Response(null, { status: 204 });
  }

  return async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const path = /^\/auth\/v1(\/.*)$/.exec(pathname)?.[1] ?? toAuthPath(pathname);
    const route = `${request.method} ${path}`;
    switch (route) {
      case "GET /.well-known/oauth-authorization-server":
      case "GET /.well-known/openid-configuration":
        return describeServer(issuer);
      case "GET /oauth/authorize":
        return await authorize(consenting, searchParams);
      case "POST /oauth/token":
        return await issueTokens(issuing, request);
      case "POST /oauth/clients/register":
        return await registerClient(store, await request.json().catch(() => null), now());
    }
    const [, id, isDecision] = /^\/oauth\/authorizations\/([^/]+)(\/consent)?$/.exec(path ?? "") ?? [];
    const isShown = id !== undefined && !isDecision && request.method === "GET";
    const isDecided = id !== undefined && isDecision && request.method === "POST";
    const isGrants = /^(?:GET|DELETE) \/user\/oauth\/grants$/.test(route);
    if (!isShown && !isDecided && !isGrants && route !== "GET /oauth/userinfo") {
      if (path === undefined || path === null) return await fetch(request);
      const claims = await readClaims(request);
      if (claims !== null && isRevoked(claims)) return refuseSession();
      // lite does not know this session.
      const isOfApp = claims?.client_id !== undefined && route === "GET /user";
      return isOfApp ? describeUser(await findUser(claims.sub ?? "")) : await fetch(request);
    }
    const user = await requireUser(request);
    if (user instanceof Response) return user;
    if (isShown) return await showAuthorization(consenting, { request, id, user });
    if (isDecided) return await decide(consenting, { request, id, user });
    if (!isGrants) return Response.json({ sub: user.id, email: user.email });
    return request.method === "GET" ? listGrants(user) : await revokeGrant(user, searchParams.get("client_id") ?? "");
  };
}

/** Clients look for the metadata of an issuer with a path at the root of its host (RFC 8414). */
function toAuthPath(pathname: string): string | null {
  const [, name] = /^\/\.well-known\/(oauth-authorization-server|openid-configuration)\/auth\/v1$/.exec(pathname) ?? [];
  return name === undefined ? null : `/.well-known/${name}`;
}

function refuseSession(): Response {
  return refuse(403, "session_not_found", "Session from session_id claim in JWT does not exist");
}

function describeUser(user: TokenUser | null): Response {
  if (user === null) return refuse(403, "user_not_found", "User from sub claim in JWT does not exist");
  const { id, email, isAnonymous: is_anonymous } = user;
  const [aud, role] = ["authenticated", "authenticated"];
  return Response.json({ id, aud, role, email, app_metadata: {}, user_metadata: {}, identities: [], is_anonymous });
}

function describeServer(issuer: string): Response {
  return Response.json({
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    userinfo_endpoint: `${issuer}/oauth/userinfo`,
    registration_endpoint: `${issuer}/oauth/clients/register`,
    scopes_supported: supportedScopes,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256", "HS256", "ES256"],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"],
    claims_supported: ["sub", "aud", "iss", "exp", "iat", "auth_time", "nonce", "email", "email_verified"],
    code_challenge_methods_supported: ["S256", "plain"],
  }, { headers: { "Cache-Control": "public, max-age=600" } });
}
