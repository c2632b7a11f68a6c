import { type Client, createClient } from "../client/client.ts";
import type { Session } from "../client/session.ts";

/** Where the service is, and what a page shows it. None of it is secret. */
export type ConnectionSettings = {
  /** The project's address; empty for the page's own. */
  baseUrl: string;
  /** The publishable key, `hi_pub_…`. */
  publishableKey: string;
  /** The Supabase project's publishable or anon key, with which Auth signs users in. Empty where a site does that. */
  supabaseKey: string;
  /** Whose session this is: a visitor's and an expert's stand beside each other in one browser. */
  role: "visitor" | "expert";
  /** The access token of a user that the site itself has signed in; then nothing is stored here. */
  accessToken?: (() => Promise<string | null>) | null;
};

/** The service as a page calls it, with a session that reloads and other tabs share. */
export interface Connection {
  client: Client;
  /** The session that is stored; null where nobody is signed in, or the site signs its users in. */
  session(): Session | null;
}

/**
 * Connects a page.
 *
 * @throws {Error} where a secret key was put into the page.
 */
export function connect(
  { baseUrl, publishableKey, supabaseKey, role, accessToken }: ConnectionSettings,
): Connection {
  // The element says it before anything is sent: the key is in everybody's hands from then on.
  if (!publishableKey.startsWith("hi_pub_")) {
    throw new Error("The key of a page must be a publishable one, hi_pub_…; revoke any other that was put here.");
  }
  const address = new URL(baseUrl || "/", location.href).href.replace(/\/$/, "");
  const store = keep<Session>(`human-chat ${role} ${address} ${publishableKey}`, "browser");
  const client = createClient({
    baseUrl: address,
    publishableKey,
    supabaseKey: supabaseKey || undefined,
    ...(accessToken ? { accessToken } : { loadSession: store.load, onSession: store.save }),
  });
  return { client, session: () => accessToken ? null : store.load() };
}

/** One value that outlives the page. */
export interface Kept<Value> {
  load(): Value | null;
  save(value: Value | null): void;
}

/**
 * Keeps a value in the browser's storage, of all tabs or of this one; where a browser refuses that, until the page is
 * left.
 */
export function keep<Value>(name: string, where: "browser" | "tab"): Kept<Value> {
  let kept: Value | null = null;
  const storage = () => where === "browser" ? localStorage : sessionStorage;
  return {
    load() {
      try {
        return JSON.parse(storage().getItem(name) ?? "null");
      } catch {
        return kept;
      }
    },
    save(value) {
      kept = value;
      try {
        if (value === null) storage().removeItem(name);
        else storage().setItem(name, JSON.stringify(value));
      } catch {
        // A browser that stores nothing.
      }
    },
  };
}
