import { z } from "zod";
import { isThisMachine } from "../local_address.ts";
import { refuse } from "./errors.ts";
import { leaveOutEmpty, randomText } from "./register_client.ts";
import type { Authorization, OAuthClient, OAuthStore } from "./store.ts";

/** The scopes of Supabase Auth. They decide what an app learns about the user, and nothing else. */
export const supportedScopes = ["openid", "profile", "email", "phone", "offline_access"];

/** An authorization must be approved, and its code used, within this time, in milliseconds. */
const lifetime = 600_000;

/** The user who opens the consent page. */
export type ConsentingUser = { id: string; email: string };

/** The parts of the authorization server that this file needs. */
export type AuthorizeOptions = {
  store: OAuthStore;
  /** Address of the consent page. */
  consentUrl: string;
  now: () => number;
};

const consentBody = z.looseObject({ action: z.enum(["approve", "deny"]) });

/** `GET /auth/v1/oauth/authorize`: sends the browser to the consent page. */
export async function authorize({ store, consentUrl, now }: AuthorizeOptions, query: URLSearchParams) {
  const get = (name: string) => query.get(name) ?? "";
  const [clientId, redirectUri] = [get("client_id"), get("redirect_uri")];
  if (clientId === "") return refuse(400, "validation_failed", "client_id is required");
  if (redirectUri === "") return refuse(400, "validation_failed", "redirect_uri is required");
  const client = store.clients.find(({ id }) => id === clientId);
  if (client === undefined) return refuse(400, "oauth_client_not_found", "invalid client_id");
  if (!client.redirectUris.includes(redirectUri)) return refuse(400, "validation_failed", "invalid redirect_uri");

  const scope = get("scope") || "email";
  const trouble = findTrouble(query, scope);
  if (trouble !== null) return redirect(errorUrl(redirectUri, "invalid_request", trouble, get("state")));

  const authorization: Authorization = {
    id: randomId(),
    clientId,
    redirectUri,
    scope,
    state: get("state"),
    resource: get("resource"),
    codeChallenge: get("code_challenge"),
    codeChallengeMethod: get("code_challenge_method").toLowerCase() as Authorization["codeChallengeMethod"],
    expiresAt: now() + lifetime,
    userId: null,
    status: "pending",
    code: null,
  };
  store.authorizations = store.authorizations.filter(({ expiresAt }) => expiresAt > now());
  store.authorizations.push(authorization);
  await store.save();
  return redirect(`${consentUrl}?authorization_id=${authorization.id}`);
}

function findTrouble(query: URLSearchParams, scope: string): string | null {
  const get = (name: string) => query.get(name) ?? "";
  if (!["", "code"].includes(get("response_type"))) return "only response_type=code is supported";
  const unknown = splitScopes(scope).find((scope) => !supportedScopes.includes(scope));
  if (unknown !== undefined) return `unsupported scope: ${unknown}`;
  const resource = get("resource");
  if (resource !== "" && !URL.canParse(resource)) return "resource must be an absolute URI";
  if (resource.includes("#")) return "resource must not include a fragment component";
  if (resource.includes("?")) return "resource must not include a query component";
  const [challenge, method] = [get("code_challenge"), get("code_challenge_method").toLowerCase()];
  if (challenge === "" || method === "") return "PKCE flow requires both code_challenge and code_challenge_method";
  if (method !== "s256" && method !== "plain") return "code_challenge_method must be 'S256' or 'plain'";
  if (challenge.length < 43 || challenge.length > 128) return "code_challenge must be between 43 and 128 characters";
  return null;
}

/** `GET /auth/v1/oauth/authorizations/{id}`: tells the consent page what is asked for. It belongs to that user then. */
export async function showAuthorization(
  { store, now }: AuthorizeOptions,
  { request, id, user }: { request: Request; id: string; user: ConsentingUser },
): Promise<Response> {
  const found = findPending(store, { request, id, now: now() });
  if (found instanceof Response) return found;
  const { authorization, client } = found;
  if (authorization.userId !== null && authorization.userId !== user.id) return refuseUnknown();
  const isNew = authorization.userId === null;
  authorization.userId = user.id;
  const scopes = splitScopes(authorization.scope);
  const isKnown = store.consents.some((consent) =>
    consent.userId === user.id && consent.clientId === client.id &&
    scopes.every((scope) => consent.scopes.includes(scope))
  );
  // A user who has approved the app before is not asked again.
  if (isNew && isKnown) return await approve(store, authorization);
  await store.save();
  return Response.json({
    authorization_id: authorization.id,
    redirect_uri: authorization.redirectUri,
    client: describeClient(client),
    user: leaveOutEmpty({ id: user.id, email: user.email }),
    scope: authorization.scope,
  });
}

/** `POST /auth/v1/oauth/authorizations/{id}/consent`: the user's decision. */
export async function decide(
  { store, now }: AuthorizeOptions,
  { request, id, user }: { request: Request; id: string; user: ConsentingUser },
): Promise<Response> {
  const { data } = consentBody.safeParse(await request.json().catch(() => null));
  if (data === undefined) return refuse(400, "validation_failed", "action must be 'approve' or 'deny'");
  const found = findPending(store, { request, id, now: now() });
  if (found instanceof Response) return found;
  const { authorization, client } = found;
  if (authorization.userId !== user.id) return refuseUnknown();
  if (data.action === "approve") {
    store.consents = store.consents.filter(({ userId, clientId }) => userId !== user.id || clientId !== client.id);
    store.consents.push({
      userId: user.id,
      clientId: client.id,
      scopes: splitScopes(authorization.scope),
      grantedAt: new Date(now()).toISOString(),
    });
    return await approve(store, authorization);
  }
  authorization.status = "denied";
  await store.save();
  const { redirectUri, state } = authorization;
  return Response.json({ redirect_url: errorUrl(redirectUri, "access_denied", "User denied the request", state) });
}

async function approve(store: OAuthStore, authorization: Authorization): Promise<Response> {
  authorization.status = "approved";
  authorization.code = crypto.randomUUID();
  await store.save();
  const { redirectUri, code, state } = authorization;
  return Response.json({ redirect_url: addQuery(redirectUri, { code, ...leaveOutEmpty({ state }) }) });
}

function findPending(
  store: OAuthStore,
  { request, id, now }: { request: Request; id: string; now: number },
): { authorization: Authorization; client: OAuthClient } | Response {
  const origin = request.headers.get("Origin");
  const page = origin === null ? null : URL.parse(origin);
  if (origin !== null && (page === null || !isThisMachine(page))) {
    return refuse(400, "validation_failed", "unauthorized request origin");
  }
  const authorization = store.authorizations.find((authorization) => authorization.id === id);
  const client = store.clients.find((client) => client.id === authorization?.clientId);
  if (authorization === undefined || client === undefined || authorization.expiresAt <= now) return refuseUnknown();
  if (authorization.status === "pending") return { authorization, client };
  return refuse(400, "validation_failed", "authorization request cannot be processed");
}

function refuseUnknown(): Response {
  return refuse(404, "oauth_authorization_not_found", "authorization not found");
}

/** An app as pages show it. */
export function describeClient({ id, name, uri, logoUri }: OAuthClient): Record<string, string> {
  return { id, ...leaveOutEmpty({ name, uri, logo_uri: logoUri }) };
}

/** The scopes in a text, which spaces separate. */
function splitScopes(scope: string): string[] {
  return scope.split(" ").filter((scope) => scope !== "");
}

function errorUrl(redirectUri: string, error: string, error_description: string, state: string): string {
  return addQuery(redirectUri, { error, error_description, ...leaveOutEmpty({ state }) });
}

function addQuery(address: string, values: Record<string, string>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
  return url.href;
}

/** 32 letters and digits. */
function randomId(): string {
  return randomText(64).replaceAll(/[-_]/g, "").slice(0, 32);
}

function redirect(address: string): Response {
  return new Response(null, { status: 302, headers: { Location: address } });
}
