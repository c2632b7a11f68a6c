import { css, html, type TemplateResult } from "lit";

/** The number of a source in the text of an answer, which opens the reader. */
export function citation(
  number: number | string,
  { label, onOpen }: { label: string; onOpen: () => void },
): TemplateResult {
  // Without white space, so that a comma can follow.
  return html`<button class="citation" aria-haspopup="dialog" aria-label=${label} @click=${onOpen}>${number}</button>`;
}

/** The styles of the numbers. */
export const citationStyles = css`
  .citation {
    display: inline;
    min-height: 0;
    margin-inline: 0.125rem;
    padding: 0 0.375rem;
    border: 0;
    border-radius: 1rem;
    background: var(--raised);
    font-size: 0.75rem;
    font-weight: 600;
    line-height: 1.4;
    vertical-align: 0.125rem;
  }
`;
