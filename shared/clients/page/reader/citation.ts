import { html, type TemplateResult } from "lit";

/** The number of a source in the text of an answer, which opens the reader. */
export function citation(
  number: number | string,
  { label, onOpen }: { label: string; onOpen: () => void },
): TemplateResult {
  // Without white space, so that a comma can follow.
  return html`<button class="citation" aria-haspopup="dialog" aria-label=${label} @click=${onOpen}>${number}</button>`;
}
