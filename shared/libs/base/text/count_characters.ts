/** Counts the characters of a text as Postgres does: code points, not UTF-16 units. */
export function countCharacters(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff](?=[\udc00-\udfff])/g)?.length ?? 0);
}
