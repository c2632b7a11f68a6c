import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { PagedList } from "../state/paged_list.ts";
import { t } from "../texts.ts";
import { showError } from "./show_error.ts";

/** Shows a list that grows by pages, also while it is read, empty, or could not be read. */
export function showList<Item extends object>(
  list: PagedList<Item>,
  { name, key, item, empty }: {
    /** The name of the list, for screen readers. */
    name: string;
    key: (item: Item) => string;
    item: (item: Item) => unknown;
    empty: TemplateResult;
  },
): TemplateResult {
  const { items, error, isBusy, hasMore } = list;
  return html`
    ${showError(error, () => list.load())}
    ${items === null
      ? error === null ? html`<p class="muted" role="status">${t.parts.loading}</p>` : nothing
      : items.length === 0
      ? empty
      : html`<ul class="list" aria-label=${name}>${repeat(items, key, (one) => html`<li>${item(one)}</li>`)}</ul>`}
    ${hasMore
      ? html`<div><button ?disabled=${isBusy} @click=${() => list.more()}>${t.parts.showMore}</button></div>`
      : nothing}
  `;
}

/** Shows that a list is empty, and what will be in it. */
export function showEmpty(title: string, explanation: string | TemplateResult): TemplateResult {
  return html`
    <div class="empty">
      <p><strong>${title}</strong></p>
      <p class="muted">${explanation}</p>
    </div>
  `;
}
