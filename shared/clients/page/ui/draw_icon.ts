import { html, type TemplateResult } from "lit";

/**
 * Draws an icon of 24 by 24 in the color of the text around it. Icons are hidden from screen readers.
 *
 * @param name `pointing` for an icon that points forward or back, which is mirrored where people write from the right
 */
export function drawIcon(path: string, width = 1.75, name = ""): TemplateResult {
  return html`
    <svg
      class=${name}
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
