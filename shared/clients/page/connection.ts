import type { Client, ClientOptions } from "../client/client.ts";
import type { Session } from "../client/session.ts";

/** The role of a session. One browser can hold a session of each role. */
export type SessionRole = "visitor" | "expert";

/** The address of the service, and the keys of a page. None of them is secret. */
export type ConnectionSettings = {
  /** The address of the project; empty for the origin of the page. */
  baseUrl: string;
  /** The publishable key, `hi_pub_…`. */
  publishableKey: string;
  /** The Supabase project's publishable or anon key, which signs users in. Empty if the site does that itself. */
  supabaseKey: string;
  role: SessionRole;
  /** Returns the access token of a user whom the site itself has signed in. Nothing is stored then. */
  accessToken?: (() => Promise<string | null>) | null;
};

/** The connection of a page to the service. Its session is kept across reloads and shared with other tabs. */
export interface Connection {
  client: Client;
  /** Returns the stored session; null if nobody is signed in, or the site signs its users in itself. */
  session(): Session | null;
}

/** Connects a page; `createClient` makes its client. @throws {Error} if the page contains a secret key */
export function connect(
  { baseUrl, publishableKey, supabaseKey, role, accessToken }: ConnectionSettings,
  createClient: (options: ClientOptions) => Client,
): Connection {
  // A secret key in a page is public. It must not even be sent.
  if (!publishableKey.startsWith("hi_pub_")) {
    throw new Error("A page needs a publishable key, hi_pub_…. Revoke any other key that was put here.");
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

/** A value that survives a reload of the page. */
export interface Kept<Value> {
  load(): Value | null;
  save(value: Value | null): void;
}

/** Keeps a value in the browser's storage, for all tabs or this one; where that is not allowed, in the page. */
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
        // The browser stores nothing.
      }
    },
  };
}
