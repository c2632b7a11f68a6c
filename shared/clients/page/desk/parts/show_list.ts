import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { PagedList } from "../state/paged_list.ts";
import { showError } from "./show_error.ts";

/** A list that grows by pages: with what it is while it is read, empty, or could not be read. */
export function showList<Item extends object>(
  list: PagedList<Item>,
  { name, key, item, empty }: {
    /** What a screen reader calls it. */
    name: string;
    key: (item: Item) => string;
    item: (item: Item) => unknown;
    empty: TemplateResult;
  },
): TemplateResult {
  const { items, error, isBusy, hasMore } = list;
  return html`
    ${showError(error, () => list.refresh())}
    ${items === null
      ? error === null ? html`<p class="muted" role="status">Reading …</p>` : nothing
      : items.length === 0
      ? empty
      : html`<ul class="list" aria-label=${name}>${repeat(items, key, (one) => html`<li>${item(one)}</li>`)}</ul>`}
    ${hasMore ? html`<div><button ?disabled=${isBusy} @click=${() => list.more()}>Show more</button></div>` : nothing}
  `;
}
