const maxLength = 80;

/** The title of a thread: its first message on one line, cut at a word to at most 80 characters. */
export function shortenTitle(message: string): string {
  const characters = [...message.trim().replace(/\s+/g, " ")];
  if (characters.length <= maxLength) return characters.join("");
  // One character is reserved for the ellipsis. If the first word is longer, it is cut.
  const cut = characters.slice(0, maxLength);
  const lastSpace = cut.lastIndexOf(" ");
  return cut.slice(0, lastSpace > 0 ? lastSpace : maxLength - 1).join("") + "…";
}
