/** Control characters, line breaks, changes of the writing direction, invisible characters; but not joiners. */
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/gu;

/** Makes a text of other people harmless to a terminal: it can neither move the cursor nor begin a line. */
export function showHarmlessly(text: string): string {
  return text.replaceAll(unprintable, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

/** A value as JSON that is harmless to a terminal, too. Programs read the same value from it. */
export function showJson(value: unknown): string {
  const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(value, null, 2)
    .replaceAll(unprintable, (character) => character === "\n" ? "\n" : character.split("").map(escape).join(""));
}
