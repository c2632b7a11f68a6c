import { diffArrays } from "diff";

/** A stretch of two texts: in both of them, or in one. */
export type Stretch = { is: "same" | "added" | "removed"; value: string };

/** Texts that have so little in common that comparing them takes longer, in milliseconds, are shown as they are. */
const longest = 200;

/** What of a text stays in another one, what goes, and what is new, word by word. */
export function compareWords(before: string, after: string): Stretch[] {
  const [old, now] = [splitWords(before), splitWords(after)];
  const changes = diffArrays(old, now, { timeout: longest }) ??
    [{ value: old, removed: true, added: false }, { value: now, added: true, removed: false }];
  return changes.map(({ value, added, removed }) => ({
    value: value.join(""),
    is: added ? "added" : removed ? "removed" : "same",
  }));
}

/** Words, and what stands between them, in languages without spaces too. */
function splitWords(text: string): string[] {
  return Array.from(new Intl.Segmenter(undefined, { granularity: "word" }).segment(text), ({ segment }) => segment);
}
