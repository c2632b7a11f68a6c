import { diffArrays } from "diff";

/** A part of two texts: in both of them, or in one. */
export type Stretch = { is: "same" | "added" | "removed"; value: string };

/** The time limit of a comparison, in milliseconds. Beyond it, the texts are shown as they are. */
const longest = 200;

/** Compares two texts word by word. */
export function compareWords(before: string, after: string): Stretch[] {
  const [old, now] = [splitWords(before), splitWords(after)];
  const changes = diffArrays(old, now, { timeout: longest }) ??
    [{ value: old, removed: true, added: false }, { value: now, added: true, removed: false }];
  return changes.map(({ value, added, removed }) => ({
    value: value.join(""),
    is: added ? "added" : removed ? "removed" : "same",
  }));
}

/** Splits a text into words and the characters between them, also in languages without spaces. */
function splitWords(text: string): string[] {
  return Array.from(new Intl.Segmenter(undefined, { granularity: "word" }).segment(text), ({ segment }) => segment);
}
