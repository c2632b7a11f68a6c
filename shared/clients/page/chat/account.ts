import type { Session } from "../../client/session.ts";

/** Who is signed in, as far as a page says it. */
export type Account = {
  userId: string;
  /** Null for a visitor without an account. */
  email: string | null;
};

/** Reads who a session is of. Only the service can tell whether that is true. */
export function readAccount({ userId, accessToken }: Session): Account {
  try {
    const [, payload = ""] = accessToken.split(".");
    const bytes = Uint8Array.from(
      atob(payload.replace(/-/g, "+").replace(/_/g, "/")),
      (letter) => letter.charCodeAt(0),
    );
    const { email, is_anonymous } = JSON.parse(new TextDecoder().decode(bytes));
    return { userId, email: !is_anonymous && email || null };
  } catch {
    return { userId, email: null };
  }
}
