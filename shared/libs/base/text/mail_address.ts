/**
 * The form of addresses that HTML's email fields accept, with a dot in the domain or without. Quoted names, comments, and
 * everything that could end a header or name a second recipient are left out.
 */
const form =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;

/** Returns whether a text is one email address, of at most 254 characters, and nothing else. */
export function isMailAddress(text: string): boolean {
  return text.length <= 254 && form.test(text);
}
