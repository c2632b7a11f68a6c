import type { Page } from "playwright-core";
import { askAuth } from "../support/ai_client.ts";
import { serve } from "../support/serve.ts";
import type { Site } from "./site.ts";
import { en } from "./texts.ts";

/** An app that waits at an address of this machine for people to come back. */
export type WaitingApp = AsyncDisposable & {
  clientId: string;
  callback: string;
  /** The addresses at which people came back. */
  arrivals: URL[];
};

/** Registers an app, as an AI client does by itself. */
export async function registerApp(
  fields: { client_name?: string; redirect_uris?: string[]; client_uri?: string; logo_uri?: string } = {},
): Promise<WaitingApp> {
  const arrivals: URL[] = [];
  const server = serve(({ url }) => {
    if (new URL(url).pathname === "/callback") arrivals.push(new URL(url));
    return new Response("<!doctype html><title>The app</title>You are back.", {
      headers: { "Content-Type": "text/html" },
    });
  });
  const [callback] = fields.redirect_uris ?? [`${server.url}/callback`];
  const { status, json } = await askAuth({ accessToken: "" }, "POST", "/oauth/clients/register", {
    client_name: "Claude",
    redirect_uris: [callback],
    token_endpoint_auth_method: "none",
    ...fields,
  });
  if (status !== 201) throw new Error(`Not registered: ${JSON.stringify(json)}`);
  const dispose = () => server[Symbol.asyncDispose]();
  return { clientId: json.client_id, callback: callback!, arrivals, [Symbol.asyncDispose]: dispose };
}

/** The ID under which Auth keeps a request of an app for access. */
export async function askForAccess(site: Site, app: WaitingApp, scope = "openid email"): Promise<string> {
  const url = new URL("auth/v1/oauth/authorize", site.url);
  url.search = new URLSearchParams({
    client_id: app.clientId,
    redirect_uri: app.callback,
    response_type: "code",
    state: "the state",
    scope,
    code_challenge: "x".repeat(43),
    code_challenge_method: "S256",
  }).toString();
  const response = await fetch(url, { redirect: "manual" });
  await response.body?.cancel();
  return new URL(response.headers.get("Location") ?? "").searchParams.get("authorization_id") ?? "";
}

/** The consent page of a site, as Auth opens it for a request. */
export function consentPage(site: Site, id?: string): string {
  return `${site.url}oauth/consent/${id === undefined ? "" : `?authorization_id=${id}`}`;
}

/** Signs in with the form, which is filled in for the site's visitor. */
export async function signIn(page: Page, user?: { email: string; password: string }): Promise<void> {
  await page.getByLabel(en.shared.password).waitFor();
  if (user) {
    await page.getByLabel(en.shared.email).fill(user.email);
    await page.getByLabel(en.shared.password).fill(user.password);
  }
  await page.getByRole("button", { name: en.shared.signIn }).click();
}
