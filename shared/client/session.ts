import type { components } from "./api_types.ts";

type SessionReply = components["schemas"]["Session"];

/** A signed-in user's tokens. Keep it to be signed in again without a password. */
export type Session = {
  accessToken: string;
  refreshToken: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
  userId: string;
};

const minutes = 60_000;

/** Keeps a session alive. */
export interface SessionKeeper {
  /** An access token that is good for minutes; null when nobody is signed in. */
  accessToken(): Promise<string | null>;
  set(session: Session | null): void;
}

/** A session from the reply of the login service. */
export function readSession(reply: SessionReply, userId: string, now: number): Session {
  return {
    accessToken: reply.access_token,
    refreshToken: reply.refresh_token,
    expiresAt: now + reply.expires_in * 1_000,
    userId,
  };
}

/**
 * Renews the access token five minutes before it expires, once for all requests that wait for it. Every refresh token
 * works once: `onChange` is told of the new one, for whoever stores it. A refresh that fails while the old token is
 * still good is tried again with the next request.
 *
 * @param refresh asks the login service; throws when it refuses or fails
 */
export function createSessionKeeper(
  refresh: (refreshToken: string) => Promise<SessionReply>,
  { initial, now, onChange }: {
    initial: Session | null;
    now: () => number;
    onChange: (session: Session | null) => void;
  },
): SessionKeeper {
  let session = initial;
  let renewal: Promise<void> | null = null;

  function set(next: Session | null) {
    session = next;
    onChange(next);
  }
  async function renew(old: Session): Promise<void> {
    try {
      const renewed = readSession(await refresh(old.refreshToken), old.userId, now());
      // Signed out, or in as somebody else, in the meantime.
      if (session === old) set(renewed);
    } catch (error) {
      if (now() >= old.expiresAt) throw error;
    }
  }

  return {
    async accessToken() {
      if (session !== null && now() >= session.expiresAt - 5 * minutes) {
        renewal ??= renew(session).finally(() => renewal = null);
        await renewal;
      }
      return session?.accessToken ?? null;
    },
    set,
  };
}
