import { css, html, type TemplateResult } from "lit";
import { compareWords, type Stretch } from "../conversations/compare_words.ts";

/** Shows a text with what was taken out and what came in, word by word. */
export function showChange(before: string, after: string): TemplateResult {
  return html`<div class="words pre">${compareWords(before, after).map(showStretch)}</div>`;
}

/** Shows one of two texts, with the words marked that the other one does not have. */
export function showOne(text: string, other: string): TemplateResult {
  const parts = compareWords(other, text).filter(({ is }) => is !== "removed");
  return html`<div class="words pre">${parts.map(showStretch)}</div>`;
}

function showStretch({ is, value }: Stretch): TemplateResult | string {
  return is === "added" ? html`<ins>${value}</ins>` : is === "removed" ? html`<del>${value}</del>` : value;
}

/** The styles of compared texts. */
export const wordStyles = css`
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
