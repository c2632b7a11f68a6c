import type { components } from "./api_types.ts";
import { ServiceError } from "./service_error.ts";

type SessionReply = components["schemas"]["Session"];

/** The tokens of a session, as Supabase Auth sends them: in a reply, or after the `#` of an address. */
export type SessionTokens = Pick<SessionReply, "access_token" | "refresh_token" | "expires_in">;

/** A signed-in user's tokens. Keep it to be signed in again without a password. */
export type Session = {
  accessToken: string;
  refreshToken: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
  /** The time to renew the access token, in milliseconds since 1970. */
  renewAt: number;
  userId: string;
};

const fiveMinutes = 5 * 60_000;

/** Keeps a session alive. */
export interface SessionKeeper {
  /**
   * An access token that is valid for minutes to come; null when no user is signed in.
   *
   * @throws when the session ends, or another user signs in, while the call waits: it must not be sent as that user's.
   */
  accessToken(): Promise<string | null>;
  set(session: Session | null): void;
  /** Returns the stored session, or creates one. If several tabs call this at the same time, one creates it. */
  ensure(begin: () => Promise<Session>): Promise<Session>;
}

/** A session from the reply of the login service: to be renewed five minutes before it expires. */
export function readSession(reply: SessionTokens, userId: string, now: number): Session {
  const lifetime = reply.expires_in * 1_000;
  return {
    accessToken: reply.access_token,
    refreshToken: reply.refresh_token,
    expiresAt: now + lifetime,
    renewAt: now + lifetime - Math.min(fiveMinutes, lifetime / 2),
    userId,
  };
}

/** Makes tabs wait for each other, if the browser supports it. */
type Locks = { request<Result>(name: string, act: () => Promise<Result>): Promise<Result> };

/**
 * Renews the access token when it is due, once for all requests that wait for it. Every refresh token works only once:
 * `onChange` receives each new session, to store it. If a refresh fails while the old token is still valid, it is tried
 * again with the next request. If it is refused, the session ends with its token.
 *
 * Several tabs can share the stored session. With `load`, it is read again before it is renewed or given up, because
 * another tab may have renewed it. If the browser has `navigator.locks`, one tab does so at a time.
 *
 * @param refresh asks the login service; throws when it refuses or fails
 */
export function createSessionKeeper(
  refresh: (refreshToken: string) => Promise<SessionReply>,
  { initial, load, now, onChange }: {
    initial: Session | null;
    load?: () => Session | null | Promise<Session | null>;
    now: () => number;
    onChange: (session: Session | null) => void;
  },
): SessionKeeper {
  let session = initial;
  let renewal: Promise<void> | null = null;
  /** The reason why a session cannot be renewed any more. */
  const refusals = new WeakMap<Session, ServiceError>();

  function set(next: Session | null) {
    session = next;
    onChange(next);
  }
  /** Goes on with the session that is stored, if that is another one. */
  async function takeOver(): Promise<void> {
    if (load === undefined) return;
    const known = session;
    const stored = await load();
    // In the meantime, the user may have signed out, or another one in.
    if (session === known && stored?.refreshToken !== known?.refreshToken) session = stored;
  }
  async function oneTabAtATime<Result>(act: () => Promise<Result>): Promise<Result> {
    const { locks } = (globalThis.navigator ?? {}) as { locks?: Locks };
    return await (load && locks ? locks.request("human-intelligence-client session", act) : act());
  }
  async function renew(): Promise<void> {
    // Without storage, the refresh is sent before anything else can happen.
    if (load) await takeOver();
    const old = session;
    if (old === null || now() < old.renewAt) return;
    let reply: SessionReply;
    try {
      const refusal = refusals.get(old);
      if (refusal) throw refusal;
      reply = await refresh(old.refreshToken);
    } catch (error) {
      if (error instanceof ServiceError && error.status < 500 && error.status !== 429) refusals.set(old, error);
      if (now() < old.expiresAt || session !== old) return;
      if (!refusals.has(old)) throw error;
      // Without locks, another tab may have renewed it in the meantime.
      await takeOver();
      if (session !== old) return await renew();
      set(null);
      throw error;
    }
    // In the meantime, the user may have signed out, or another one in.
    if (session === old) set(readSession(reply, old.userId, now()));
  }

  return {
    async accessToken() {
      if (session === null) await takeOver();
      const asked = session;
      if (asked === null) return null;
      if (now() < asked.renewAt) return asked.accessToken;
      renewal ??= oneTabAtATime(renew).finally(() => renewal = null);
      await renewal;
      if (session?.userId !== asked.userId) throw new Error("The session ended before the call was sent");
      return session.accessToken;
    },
    set,
    ensure: (begin) =>
      oneTabAtATime(async () => {
        await takeOver();
        return load && session || await begin();
      }),
  };
}
