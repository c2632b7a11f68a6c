import { diffWordsWithSpace } from "diff";

/** A stretch of two texts: in both of them, or in one. */
export type Stretch = { is: "same" | "added" | "removed"; value: string };

/** What of a text stays in another one, what goes, and what is new, word by word. */
export function compareWords(before: string, after: string): Stretch[] {
  // Texts that have little in common are compared by giving up early: both are shown as they are.
  const changes = diffWordsWithSpace(before, after, { timeout: 200 }) ??
    [{ value: before, removed: true, added: false }, { value: after, added: true, removed: false }];
  return changes.map(({ value, added, removed }) => ({ value, is: added ? "added" : removed ? "removed" : "same" }));
}
