/** The kinds of links by which Supabase Auth confirms an email address. */
const kinds = ["signup", "email_change"];

/**
 * Takes what a link that confirms an email address has brought out of the address of the page. Returns true if there was
 * such a link. Its session is not used: whoever sends a link must not decide as whom its reader works.
 */
export function takeConfirmation(): boolean {
  const values = new URLSearchParams(location.hash.slice(1));
  if (!values.has("access_token") || !kinds.includes(values.get("type") ?? "")) return false;
  history.replaceState(history.state, "", location.pathname + location.search);
  return true;
}
