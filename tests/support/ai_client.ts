import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { publishableKey, type User } from "./project.ts";
import { projectVariable } from "./service.ts";

/** A person with a session, as a page has it: in the project of the test run, or in another one. */
type Person = Pick<User, "accessToken"> & { project?: { url: string; publishableKey: string } };

const ofTestRun = () => ({ url: projectVariable("SUPABASE_URL"), publishableKey });

/** Asks Supabase Auth as a signed-in person. */
export async function askAuth(
  { accessToken, project = ofTestRun() }: Person,
  method: string,
  path: string,
  body?: unknown,
  // deno-lint-ignore no-explicit-any
): Promise<{ status: number; json: any }> {
  const response = await fetch(`${project.url}/auth/v1${path}`, {
    method,
    headers: {
      apikey: project.publishableKey,
      Authorization: `Bearer ${accessToken}`,
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, json: text === "" ? null : JSON.parse(text) };
}

/** Does what the consent page does for a person: approves, and returns where the browser is sent. */
export async function consent(person: Person, authorizationUrl: URL): Promise<URL> {
  const response = await fetch(authorizationUrl, { redirect: "manual" });
  await response.body?.cancel();
  const page = new URL(response.headers.get("Location") ?? "");
  const path = `/oauth/authorizations/${page.searchParams.get("authorization_id")}`;
  const shown = await askAuth(person, "GET", path);
  const { json } = shown.json.redirect_url
    ? shown
    : await askAuth(person, "POST", `${path}/consent`, { action: "approve" });
  return new URL(json.redirect_url);
}

/** Takes an app's access back, as a person does in the settings. */
export async function revoke(person: Person, clientId: string): Promise<void> {
  const { status } = await askAuth(person, "DELETE", `/user/oauth/grants?client_id=${clientId}`);
  if (status !== 204) throw new Error(`Cannot revoke: ${status}`);
}

/** An AI client that remembers what a desktop app keeps in its store. */
export class AiClient implements OAuthClientProvider {
  readonly redirectUrl = "http://localhost:7777/callback";
  readonly clientMetadata = {
    client_name: "An AI client",
    redirect_uris: [this.redirectUrl],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
  /** Requests so far: method and path. */
  readonly requests: string[] = [];
  client: StoredOAuthClientInformation | undefined;
  #discovery: OAuthDiscoveryState | undefined;
  stored: StoredOAuthTokens | undefined;
  readonly #approve: (asked: URL) => Promise<URL>;
  #verifier = "";
  #asked: URL | undefined;

  /** @param person who approves everything, or what opens the address in a browser and returns the one that it ends at */
  constructor(person: Person | ((asked: URL) => Promise<URL>)) {
    this.#approve = typeof person === "function" ? person : (asked) => consent(person, asked);
  }

  clientInformation() {
    return this.client;
  }
  saveClientInformation(client: StoredOAuthClientInformation) {
    this.client = client;
  }
  tokens() {
    return this.stored;
  }
  saveTokens(tokens: StoredOAuthTokens) {
    this.stored = tokens;
  }
  saveDiscoveryState(state: OAuthDiscoveryState) {
    this.#discovery = state;
  }
  discoveryState() {
    return this.#discovery;
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }
  codeVerifier() {
    return this.#verifier;
  }
  redirectToAuthorization(url: URL) {
    this.#asked = url;
  }

  /** The address at which the person was asked to approve; undefined if that was not necessary. */
  get asked(): URL | undefined {
    return this.#asked;
  }

  /** Connects to a server by its address alone. The person is asked if necessary. */
  async connect(address: string): Promise<Client & AsyncDisposable> {
    this.#asked = undefined;
    const send: typeof fetch = (input, init) => {
      const request = new Request(input, init);
      this.requests.push(`${request.method} ${new URL(request.url).pathname}`);
      return fetch(request);
    };
    const open = () => new StreamableHTTPClientTransport(new URL(address), { authProvider: this, fetch: send });
    const start = async (transport: StreamableHTTPClientTransport) => {
      const client = new Client({ name: "test", version: "1" });
      await client.connect(transport);
      return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
    };
    const transport = open();
    try {
      return await start(transport);
    } catch (error) {
      if (this.#asked === undefined) throw error;
      const { searchParams } = await this.#approve(this.#asked);
      await transport.finishAuth(searchParams.get("code") ?? "");
      return await start(open());
    }
  }
}

/** The tokens of an AI client that a person has let in, by the steps of the protocol alone. */
export async function letIn(
  person: Person,
): Promise<{ clientId: string; accessToken: string; refreshToken: string }> {
  const redirect_uri = "http://localhost:7777/callback";
  const { json: { client_id } } = await askAuth(person, "POST", "/oauth/clients/register", {
    client_name: "An AI client",
    redirect_uris: [redirect_uri],
    token_endpoint_auth_method: "none",
  });
  const verifier = crypto.randomUUID() + crypto.randomUUID();
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier)));
  const auth = `${ofTestRun().url}/auth/v1`;
  const url = new URL(`${auth}/oauth/authorize`);
  url.search = new URLSearchParams({
    client_id,
    redirect_uri,
    response_type: "code",
    code_challenge: digest.toBase64({ alphabet: "base64url", omitPadding: true }),
    code_challenge_method: "S256",
  }).toString();
  const { searchParams } = await consent(person, url);
  const response = await fetch(`${auth}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      client_id,
      redirect_uri,
      code: searchParams.get("code") ?? "",
      code_verifier: verifier,
    }),
  });
  const { access_token, refresh_token } = await response.json();
  return { clientId: client_id, accessToken: access_token, refreshToken: refresh_token };
}
