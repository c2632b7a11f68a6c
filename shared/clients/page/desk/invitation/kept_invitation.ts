import { keep } from "../../connection.ts";

const name = "invitation";
const kept = keep<string>("human-desk invitation", "browser");

/**
 * Returns the token of the invitation that is to be accepted; null if there is none. A token in the address is taken out
 * of it, so that it is not in the history of the browser. It is kept while the user signs in, or confirms an email
 * address, until it is used.
 */
export function readInvitation(): string | null {
  const token = new URLSearchParams(location.hash.slice(1)).get(name);
  if (token) {
    kept.save(token);
    history.replaceState(history.state, "", location.pathname + location.search);
  }
  return kept.load();
}

/** The invitation was accepted or declined, or is not valid any more. */
export function dropInvitation(): void {
  kept.save(null);
}

/** Returns the address that an invitation opens: this page with the token. */
export function invitationAddress(token: string): string {
  return `${location.origin}${location.pathname}${location.search}#${name}=${encodeURIComponent(token)}`;
}
