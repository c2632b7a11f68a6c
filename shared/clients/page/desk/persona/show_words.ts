import { css, html, type TemplateResult } from "lit";
import { compareWords, type Stretch } from "../conversations/compare_words.ts";

/** Shows a text with what was taken out and what came in, word by word. */
export function showChange(before: string, after: string): TemplateResult {
  return html`<div class="words pre">${joinChanges(compareWords(before, after)).map(showStretch)}</div>`;
}

/** Shows one of two texts, with the words marked that the other one does not have. */
export function showOne(text: string, other: string): TemplateResult {
  const parts = compareWords(other, text).filter(({ is }) => is !== "removed");
  return html`<div class="words pre">${parts.map(showStretch)}</div>`;
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

function showStretch({ is, value }: Stretch): TemplateResult | string {
  return is === "added" ? html`<ins>${value}</ins>` : is === "removed" ? html`<del>${value}</del>` : value;
}

/** The styles of compared texts, and of the names of fields above them. */
export const wordStyles = css`
  .of-field {
    margin: 0;
    font-size: 0.875rem;
    font-weight: 600;
  }
  .of-field::first-letter {
    text-transform: uppercase;
  }
  .words {
    padding: 0.5rem 0.75rem;
    border-radius: calc(var(--radius) / 1.5);
    background: var(--raised);
    unicode-bidi: plaintext;
    text-align: start;
  }
  .words del {
    background: color-mix(in oklab, var(--danger) 18%, transparent);
    text-decoration-color: var(--danger);
  }
  .words ins {
    background: color-mix(in oklab, var(--accent) 22%, transparent);
    text-decoration: none;
  }
`;
