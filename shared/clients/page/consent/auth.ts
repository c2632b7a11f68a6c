import type { components } from "../../client/api_types.ts";
import { readServiceError } from "../../client/service_error.ts";

/** An app that asks for access, or has it. It has chosen its name itself. */
export type App = { id: string; name?: string };

/** A request for access: what the app wants, and the address that it sends the user back to. */
export type AccessRequest = {
  authorization_id: string;
  redirect_uri?: string;
  client: App;
  user: { id: string; email?: string };
  scope: string;
};

/** The address that the browser goes back to the app with. */
export type WayBack = { redirect_url: string };

/** The access that a user has given to an app. */
export type Grant = { client: App; granted_at: string };

/** The tokens of somebody who has signed in. */
export type SignedIn = components["schemas"]["Session"];

/** The calls of the page: to Supabase Auth and, to know what an app might do, one to the service. */
export class Auth {
  readonly #baseUrl: string;
  readonly #key: string;

  /** @param key the Supabase project's publishable or anon key */
  constructor(baseUrl: string, key: string) {
    this.#baseUrl = baseUrl;
    this.#key = key;
  }

  signIn(email: string, password: string): Promise<SignedIn> {
    return this.#ask("POST", "/token?grant_type=password", { body: { email, password } });
  }

  refresh(refresh_token: string): Promise<SignedIn> {
    return this.#ask("POST", "/token?grant_type=refresh_token", { body: { refresh_token } });
  }

  /** The reply has no tokens if the address has to be confirmed first, with a mail that leads to `page`. */
  signUp(email: string, password: string, page: string): Promise<SignedIn | { access_token?: undefined }> {
    return this.#ask("POST", `/signup?redirect_to=${encodeURIComponent(page)}`, { body: { email, password } });
  }

  settings(): Promise<{ disable_signup: boolean; external: { email?: boolean } }> {
    return this.#ask("GET", "/settings");
  }

  /** Sends a link for a new password, which leads to `page`. */
  sendPasswordLink(email: string, page: string): Promise<unknown> {
    return this.#ask("POST", `/recover?redirect_to=${encodeURIComponent(page)}`, { body: { email } });
  }

  setPassword(password: string, token: string): Promise<{ id: string }> {
    return this.#ask("PUT", "/user", { token, body: { password } });
  }

  /** What an app asks for, or the way back to it if it has access already. The request now belongs to this user. */
  openRequest(id: string, token: string): Promise<AccessRequest | WayBack> {
    return this.#ask("GET", `/oauth/authorizations/${encodeURIComponent(id)}`, { token });
  }

  answerRequest(id: string, action: "approve" | "deny", token: string): Promise<WayBack> {
    return this.#ask("POST", `/oauth/authorizations/${encodeURIComponent(id)}/consent`, { token, body: { action } });
  }

  listGrants(token: string): Promise<Grant[]> {
    return this.#ask("GET", "/user/oauth/grants", { token });
  }

  /** Ends the access of an app, and its sessions. */
  revokeGrant(appId: string, token: string): Promise<unknown> {
    return this.#ask("DELETE", `/user/oauth/grants?client_id=${encodeURIComponent(appId)}`, { token });
  }

  /** True if a user is the expert of a persona, so that an app could work as one, or if nobody can tell. */
  async isExpert(key: string, token: string): Promise<boolean> {
    try {
      const address = `${this.#baseUrl}/functions/v1/users/me/coaches?limit=1`;
      const response = await fetch(address, { headers: { apikey: key, Authorization: `Bearer ${token}` } });
      return !response.ok || (await response.json()).count > 0;
    } catch {
      return true;
    }
  }

  async #ask<Reply>(
    method: string,
    path: string,
    { body, token }: { body?: unknown; token?: string } = {},
  ): Promise<Reply> {
    const response = await fetch(`${this.#baseUrl}/auth/v1${path}`, {
      method,
      headers: {
        apikey: this.#key,
        ...token !== undefined && { Authorization: `Bearer ${token}` },
        ...body !== undefined && { "Content-Type": "application/json" },
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const reply = await response.json().catch(() => null);
    if (!response.ok) throw readServiceError(response, reply);
    return reply;
  }
}
