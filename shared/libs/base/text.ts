/** Returns whether Postgres can hold a text: neither NUL characters nor halves of surrogate pairs. */
export function isStorableText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

/** Counts the characters of a text as Postgres does: code points, not UTF-16 units. */
export function countCharacters(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff](?=[\udc00-\udfff])/g)?.length ?? 0);
}

/** A whole number as English has it: `32,000`. Not by `toLocaleString`, whose first call takes 12 ms of a cold start. */
export function withCommas(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** Marks of direction, zero-width characters, soft hyphens and tags; but not the joiners, which words need. */
const invisible =
  /[\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\u{E0000}-\u{E007F}]/gu;

/**
 * Leaves out what nobody sees, and what changes the order in which letters are shown. A question or a title then reads as
 * it is compared: with such marks, "not allowed" could be shown for another question than the one that is matched. The
 * name of a file could show another one, or another type, than it has.
 */
export function stripInvisible(text: string): string {
  return text.replace(invisible, "");
}

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

/** The end of a sentence: after a mark and a space that no small letter follows, or after a full-width mark. */
const sentenceEnd = /[.!?…]["'”’»)\]]*\s+(?=[^\p{Ll}\s])|[。！？｡]["'”’」』）]*\s*/gu;

/** Cuts a text into sentences by their marks. Joined, the sentences are the text again. */
export function splitSentences(text: string): string[] {
  const sentences = [];
  let start = 0;
  for (const { 0: mark, index } of text.matchAll(sentenceEnd)) {
    sentences.push(text.slice(start, index + mark.length));
    start = index + mark.length;
  }
  if (start < text.length) sentences.push(text.slice(start));
  return sentences;
}

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

/** Decodes a part of an address. One that is not encoded as it should be, such as `100%`, stays as it is. */
export function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
