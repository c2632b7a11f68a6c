import { stripInvisible } from "../../../base/text/strip_invisible.ts";

const maxLength = 80;

/** The title of a thread: its first message on one line, cut at a word to at most 80 characters. */
export function shortenTitle(message: string): string {
  // A message may hold nothing that can be seen; a title must not be empty.
  const shown = stripInvisible(message).trim() || message.trim();
  const characters = [...shown.replace(/\s+/g, " ")];
  if (characters.length <= maxLength) return characters.join("");
  // One character is for the ellipsis. A first word that is longer than that is cut inside.
  const cut = characters.slice(0, maxLength);
  const lastSpace = cut.lastIndexOf(" ");
  return cut.slice(0, lastSpace > 0 ? lastSpace : maxLength - 1).join("") + "…";
}
