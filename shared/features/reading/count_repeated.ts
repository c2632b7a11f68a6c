/** Longer than what any passage repeats of the one before: see `createPassageSplitter`. */
const mostRepeated = 1_000;

const boundary = /^[\s\p{P}]/u;
const boundaryAtEnd = /[\s\p{P}]$/u;

/**
 * Counts the characters at the beginning of a passage that repeat the end of the one before. Passages overlap by whole
 * sentences or words; a part of a word that both have in common by chance does not count.
 */
export function countRepeated(
  before: { content: string } | undefined,
  { content }: { content: string },
): number {
  if (before === undefined) return 0;
  for (let length = Math.min(mostRepeated, before.content.length, content.length - 1); length > 0; length--) {
    const text = content.slice(0, length);
    if (!before.content.endsWith(text)) continue;
    const beginsAtWord = length === before.content.length ||
      boundaryAtEnd.test(before.content.slice(0, -length).slice(-2));
    const endsAtWord = boundaryAtEnd.test(text) || boundary.test(content.slice(length, length + 2));
    if (beginsAtWord && endsAtWord) return length;
  }
  return 0;
}
