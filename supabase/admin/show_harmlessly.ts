/** Control characters, line breaks, and what changes the direction of writing or cannot be seen; but for joiners. */
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/gu;

/** A text that others have written, so that it can neither move the cursor nor begin a line. */
export function showHarmlessly(text: string): string {
  return text.replaceAll(unprintable, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

/** A value as JSON that means the same to a machine and does nothing to a terminal. */
export function showJson(value: unknown): string {
  const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(value, null, 2)
    .replaceAll(unprintable, (character) => character === "\n" ? "\n" : character.split("").map(escape).join(""));
}
