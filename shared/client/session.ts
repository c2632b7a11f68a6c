import type { components } from "./api_types.ts";
import { ServiceError } from "./service_error.ts";

type SessionReply = components["schemas"]["Session"];

/** A signed-in user's tokens. Keep it to be signed in again without a password. */
export type Session = {
  accessToken: string;
  refreshToken: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
  /** When the access token is due to be renewed, in milliseconds since 1970. */
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
}

/** A session from the reply of the login service: to be renewed five minutes before it expires. */
export function readSession(reply: SessionReply, userId: string, now: number): Session {
  const lifetime = reply.expires_in * 1_000;
  return {
    accessToken: reply.access_token,
    refreshToken: reply.refresh_token,
    expiresAt: now + lifetime,
    renewAt: now + lifetime - Math.min(fiveMinutes, lifetime / 2),
    userId,
  };
}

/**
 * Renews the access token when it is due, once for all requests that wait for it. Every refresh token works only once:
 * `onChange` gets each new session, to be stored. A refresh that fails while the old token is still valid is tried again
 * with the next request. One that was refused is not: then the session ends with its token.
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
  /** Why a session will not be renewed any more. */
  const refusals = new WeakMap<Session, ServiceError>();

  function set(next: Session | null) {
    session = next;
    onChange(next);
  }
  async function renew(old: Session): Promise<void> {
    let reply: SessionReply;
    try {
      reply = await refresh(old.refreshToken);
    } catch (error) {
      if (error instanceof ServiceError && error.status < 500 && error.status !== 429) refusals.set(old, error);
      if (now() < old.expiresAt || session !== old) return;
      if (refusals.has(old)) set(null);
      throw error;
    }
    // Meanwhile the user may have signed out, or another one in.
    if (session === old) set(readSession(reply, old.userId, now()));
  }

  return {
    async accessToken() {
      const asked = session;
      if (asked === null) return null;
      if (now() < asked.renewAt) return asked.accessToken;
      const refusal = refusals.get(asked);
      if (refusal === undefined) {
        renewal ??= renew(asked).finally(() => renewal = null);
        await renewal;
      } else if (now() >= asked.expiresAt) {
        set(null);
        throw refusal;
      }
      if (session?.userId !== asked.userId) throw new Error("The session ended before the call was sent");
      return session.accessToken;
    },
    set,
  };
}
