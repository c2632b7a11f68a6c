/** Returns whether Postgres can hold a text: neither NUL characters nor halves of surrogate pairs. */
export function isStorableText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}
