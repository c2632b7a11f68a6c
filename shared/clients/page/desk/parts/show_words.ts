import { diffArrays } from "diff";
import { html, type TemplateResult } from "lit";

/** A part of two texts: in both of them, or in one. */
type Stretch = { is: "same" | "added" | "removed"; value: string };

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

/** Shows a text with what was taken out and what came in, word by word. */
export function showChange(before: string, after: string): TemplateResult {
  return html`<div class="words raised pre">${joinChanges(compareWords(before, after)).map(showStretch)}</div>`;
}

/** Shows one of two texts, with the words marked that the other one does not have. */
export function showOne(text: string, other: string): TemplateResult {
  const parts = compareWords(other, text).filter(({ is }) => is !== "removed");
  return html`<div class="words raised pre">${parts.map(showStretch)}</div>`;
}

/** Joins changes with nothing but blanks between them. A phrase is easier to read than its words one by one. */
export function joinChanges(stretches: Stretch[]): Stretch[] {
  const joined: Stretch[] = [];
  let [removed, added] = ["", ""];
  const end = () => {
    if (removed) joined.push({ is: "removed", value: removed });
    if (added) joined.push({ is: "added", value: added });
    [removed, added] = ["", ""];
  };
  stretches.forEach(({ is, value }, place) => {
    const next = stretches[place + 1];
    const isBetween = is === "same" && (removed || added) && next !== undefined && /^[^\S\n]+$/.test(value);
    if (is !== "added" && (is === "removed" || isBetween)) removed += value;
    if (is !== "removed" && (is === "added" || isBetween)) added += value;
    if (is === "same" && !isBetween) {
      end();
      joined.push({ is, value });
    }
  });
  end();
  return joined;
}

/** Shows a part of two texts, with a mark if only one of them has it. */
export function showStretch({ is, value }: Stretch): TemplateResult | string {
  return is === "added" ? html`<ins>${value}</ins>` : is === "removed" ? html`<del>${value}</del>` : value;
}
