import { html, type TemplateResult } from "lit";

/** A picture of 24 by 24, drawn with the colour of the text around it. What it says, a label says too. */
export function drawIcon(path: string, width = 1.75): TemplateResult {
  return html`
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width=${width}
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d=${path}></path>
    </svg>
  `;
}
