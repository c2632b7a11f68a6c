import { z } from "zod";
import { refuse } from "./errors.ts";
import type { OAuthClient, OAuthStore } from "./store.ts";

const registration = z.looseObject({
  redirect_uris: z.array(z.string()).default([]),
  client_type: z.enum(["", "public", "confidential"]).default(""),
  token_endpoint_auth_method: z.string().default(""),
  grant_types: z.array(z.string()).default([]),
  client_name: z.string().default(""),
  client_uri: z.string().default(""),
  logo_uri: z.string().default(""),
});

const authMethods = ["none", "client_secret_basic", "client_secret_post"] as const;
const grants = ["authorization_code", "refresh_token"];
const dangerousSchemes = ["javascript:", "data:", "file:", "vbscript:", "about:", "blob:"];

/** `POST /auth/v1/oauth/clients/register`: an app registers itself (RFC 7591). */
export async function registerClient(store: OAuthStore, body: unknown, now: number): Promise<Response> {
  const { data } = registration.safeParse(body);
  if (data === undefined) return refuse(400, "bad_json", "Invalid JSON body");
  const trouble = findTrouble(data);
  if (trouble !== null) return refuse(400, "validation_failed", trouble);

  const type = data.client_type || (data.token_endpoint_auth_method === "none" ? "public" : "confidential");
  const secret = type === "public" ? null : randomText(32);
  const client: OAuthClient = {
    id: crypto.randomUUID(),
    secretDigest: secret === null ? null : await digest(secret),
    authMethod: authMethods.find((method) => method === data.token_endpoint_auth_method) ??
      (type === "public" ? "none" : "client_secret_basic"),
    name: data.client_name,
    uri: data.client_uri,
    logoUri: data.logo_uri,
    redirectUris: data.redirect_uris,
    grantTypes: data.grant_types.length > 0 ? data.grant_types : grants,
    createdAt: new Date(now).toISOString(),
  };
  store.clients.push(client);
  await store.save();
  return Response.json({
    client_id: client.id,
    ...(secret === null ? {} : { client_secret: secret }),
    client_type: type,
    redirect_uris: client.redirectUris,
    token_endpoint_auth_method: client.authMethod,
    grant_types: client.grantTypes,
    response_types: ["code"],
    ...leaveOutEmpty({ client_name: client.name, client_uri: client.uri, logo_uri: client.logoUri }),
    registration_type: "dynamic",
    created_at: client.createdAt,
    updated_at: client.createdAt,
  }, { status: 201 });
}

/** The reason to refuse a registration, as Supabase Auth words it; null if it is acceptable. */
function findTrouble(data: z.output<typeof registration>): string | null {
  const { redirect_uris, grant_types, client_name, client_type, token_endpoint_auth_method: method } = data;
  if (redirect_uris.length === 0) return "redirect_uris is required";
  if (redirect_uris.length > 10) return "redirect_uris cannot exceed 10 items";
  for (const uri of redirect_uris) {
    const reason = findTroubleInRedirect(uri);
    if (reason !== null) return `invalid redirect_uri '${uri}': ${reason}`;
  }
  if (!grant_types.every((grant) => grants.includes(grant))) {
    return "grant_types must only contain 'authorization_code' and/or 'refresh_token'";
  }
  if (client_name.length > 1_024) return "client_name cannot exceed 1024 characters";
  for (const name of ["client_uri", "logo_uri"] as const) {
    if (data[name].length > 2_048) return `${name} cannot exceed 2048 characters`;
    if (data[name] !== "" && !URL.canParse(data[name])) return `${name} must be a valid URL`;
  }
  if (method !== "" && !authMethods.some((known) => known === method)) {
    return `token_endpoint_auth_method must be one of: [${authMethods.join(" ")}]`;
  }
  const expected = method === "none" ? "public" : "confidential";
  if (client_type !== "" && method !== "" && client_type !== expected) {
    return `client_type '${client_type}' is inconsistent with token_endpoint_auth_method '${method}'`;
  }
  return null;
}

function findTroubleInRedirect(uri: string): string | null {
  const url = URL.parse(uri);
  if (url === null || url.host === "") return "must have scheme and host";
  if (dangerousSchemes.includes(url.protocol)) {
    return `scheme '${url.protocol.slice(0, -1)}' is not allowed for security reasons`;
  }
  if (url.protocol === "http:" && !["localhost", "127.0.0.1", "[::1]"].includes(url.hostname)) {
    return "HTTP scheme only allowed for localhost";
  }
  return uri.includes("#") ? "fragment not allowed in redirect URI" : null;
}

/** The app that a request to the token endpoint comes from, or why it is refused. */
export async function authenticateClient(
  store: OAuthStore,
  request: Request,
  form: URLSearchParams,
): Promise<OAuthClient | Response> {
  const refuseClient = (reason: string) => refuse(400, "invalid_credentials", reason);
  const [, basic] = /^Basic (.+)$/.exec(request.headers.get("Authorization") ?? "") ?? [];
  let [id, secret] = [form.get("client_id") ?? "", form.get("client_secret") ?? ""];
  let method: OAuthClient["authMethod"] = secret === "" ? "none" : "client_secret_post";
  if (basic !== undefined) {
    [id = "", secret = ""] = decodeBasic(basic).split(/:(.*)/s);
    method = "client_secret_basic";
  }
  if (id === "") return refuseClient("Invalid client credentials: client_id is required");
  const client = store.clients.find((client) => client.id === id);
  if (client === undefined) return refuseClient("Invalid client credentials");
  if (method !== client.authMethod) {
    return refuseClient(
      `invalid authentication method: client is registered for '${client.authMethod}' but '${method}' was used`,
    );
  }
  const isRight = client.secretDigest === null ? secret === "" : client.secretDigest === await digest(secret);
  return isRight ? client : refuseClient("invalid client credentials");
}

function decodeBasic(encoded: string): string {
  try {
    return atob(encoded);
  } catch {
    return "";
  }
}

/** Leaves empty fields out, as Auth does. */
export function leaveOutEmpty(fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));
}

/** Random bytes as text. */
export function randomText(bytes: number): string {
  return crypto.getRandomValues(new Uint8Array(bytes)).toBase64({ alphabet: "base64url", omitPadding: true });
}

/** The SHA-256 of a text, in the form of a PKCE challenge. */
export async function digest(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}
