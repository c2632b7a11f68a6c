/** Cleans the next piece of a text. Called without a piece at the end, it returns what it still holds. */
export type TextCleaner = (piece?: string) => string;

/**
 * Makes a text that arrives in pieces fit to be sent and stored: no NUL characters, no halves of surrogate pairs, and
 * every line break a single `\n`. A piece may end inside a pair or a `\r\n`; that end is held until the next piece.
 */
export function createTextCleaner(): TextCleaner {
  let held = "";
  return (piece) => {
    let text = held + (piece ?? "").replaceAll("\0", "");
    held = piece === undefined ? "" : /[\r\uD800-\uDBFF]$/.exec(text)?.[0] ?? "";
    if (held !== "") text = text.slice(0, -1);
    return text.replace(/\r\n?/g, "\n").toWellFormed();
  };
}
