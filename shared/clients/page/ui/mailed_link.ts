import type { SessionTokens } from "../../client/session.ts";

/** The link of a mail from Supabase Auth that has opened the page. */
export type MailedLink =
  | { kind: "expired" }
  /** A link for a new password. */
  | { kind: "password"; tokens: SessionTokens; email: string };

/** Takes what a mailed link has brought out of the address, and so out of the browser's history; null for none. */
export function takeMailedLink(): MailedLink | null {
  const values = new URLSearchParams(location.hash.slice(1));
  const access_token = values.get("access_token");
  const isForPassword = access_token !== null && values.get("type") === "recovery";
  if (!isForPassword && values.get("error_code") !== "otp_expired") return null;
  history.replaceState(history.state, "", location.pathname + location.search);
  if (!isForPassword) return { kind: "expired" };
  const tokens = {
    access_token,
    refresh_token: values.get("refresh_token") ?? "",
    expires_in: Number(values.get("expires_in")) || 0,
  };
  return { kind: "password", tokens, email: readClaims(access_token).email ?? "" };
}

/** Takes the token of a mail that asks to confirm an address out of the address of the page. Null if there is none. */
export function takeConfirmation(): string | null {
  const [, token] = /^#confirm-email=(.+)$/.exec(location.hash) ?? [];
  if (!token) return null;
  history.replaceState(history.state, "", location.pathname + location.search);
  return decodePart(token);
}

/** The link of a mail that has opened the page: to an answer, or from somebody who has not asked for mails. */
export type MailedPlace = { kind: "answer" | "not-me"; token: string };

/** Reads such a link from the address of the page, where it stays; null if there is none. */
export function readMailedPlace(): MailedPlace | null {
  const [, kind, token = ""] = /^#(answer|not-me)=(.+)$/.exec(location.hash) ?? [];
  return kind === undefined ? null : { kind: kind as MailedPlace["kind"], token: decodePart(token) };
}

/** Decodes a part of an address. One that is not encoded as it should be, such as `100%`, stays as it is. */
export function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The claims of an access token that a page shows. Only the service can verify them. */
export function readClaims(accessToken: string): { sub?: string; email?: string; is_anonymous?: boolean } {
  try {
    const [, payload = ""] = accessToken.split(".");
    const bytes = Uint8Array.from(
      atob(payload.replace(/-/g, "+").replace(/_/g, "/")),
      (letter) => letter.charCodeAt(0),
    );
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return {};
  }
}

/** The address of the page, for a link that is mailed. */
export function pageAddress(): string {
  return location.origin + location.pathname + location.search;
}

/** The kinds of links by which Supabase Auth confirms an email address. */
const kinds = ["signup", "email_change"];

/**
 * Takes what a link that confirms an email address has brought out of the address of the page. Returns true if there was
 * such a link. Its session is not used: whoever sends a link must not decide as whom its reader works.
 */
export function takeAuthConfirmation(): boolean {
  const values = new URLSearchParams(location.hash.slice(1));
  if (!values.has("access_token") || !kinds.includes(values.get("type") ?? "")) return false;
  history.replaceState(history.state, "", location.pathname + location.search);
  return true;
}
