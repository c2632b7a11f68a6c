import { html, type TemplateResult } from "lit";

/** What is shown where there is nothing yet, with what will be there. */
export function showEmpty(title: string, explanation: string | TemplateResult): TemplateResult {
  return html`
    <div class="empty">
      <p><strong>${title}</strong></p>
      <p class="muted">${explanation}</p>
    </div>
  `;
}
