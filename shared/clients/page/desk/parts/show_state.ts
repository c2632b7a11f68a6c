import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { ServiceError } from "../../../client/service_error.ts";
import { formatTime } from "../format.ts";
import { fill, fillIn, t } from "../texts.ts";
import { linkTo } from "../route.ts";
import type { Loading, PagedList } from "../state/work.ts";

/** Describes an error in a sentence for the expert. An error that the desk does not know has the words of the service. */
export function describeError(error: unknown): string {
  if (error instanceof ServiceError) return describeRefusal(error);
  if (!navigator.onLine) return t.parts.offline;
  if (error instanceof TypeError) return t.parts.unreachable;
  return error instanceof Error ? error.message : String(error);
}

function describeRefusal({ code, status, body, message }: ServiceError): string {
  if (code === "budget_exhausted" && body.retryAfter !== undefined) {
    const end = new Date(Date.now() + 1_000 * body.retryAfter);
    return fill(t.parts.budgetUntil, { time: formatTime(end.toISOString()) });
  }
  const sentences: Record<string, string> = { ...t.shared.errors, ...t.errors };
  const sentence = sentences[code ?? ""];
  if (sentence !== undefined) return fill(sentence, { sentence: sayReason(message) });
  if (status === 429) return t.parts.tooManyRequests;
  return status >= 500 ? t.parts.trouble : message;
}

/**
 * Says a reason that the service gives in English: in the language of the desk if that has words for it, and as a sentence.
 *
 * @param words those of the language, by the English ones
 */
export function sayReason(reason: string, words: Record<string, string> = t.reasons): string {
  const parts = reason.split("; ").map((part) => translate(part, words));
  const said = parts.every((part) => part !== null) ? parts.join("; ") : translate(reason, words) ?? reason;
  return /[.!?…]$/.test(said) ? said : `${said}.`;
}

/** Says also in the language what a reason names, such as another reason. Null: the language has no words for it. */
function translate(reason: string, words: Record<string, string>): string | null {
  for (const [english, own] of Object.entries(words)) {
    // Most are told apart by their first words, without a pattern for each.
    const found = reason.startsWith(english.split("{", 1)[0]!) ? patternOf(english).exec(reason) : null;
    if (found === null) continue;
    const values = Object.entries(found.groups ?? {}).map(([name, value]) => {
      if (name.startsWith("number")) return [name, Number(value.replaceAll(",", ""))];
      // The names of columns stand in the sheet.
      return [name, name === "column" ? value : translate(value, words) ?? value];
    });
    return fill(own, Object.fromEntries(values));
  }
  return null;
}

/** Matches a sentence with anything in the places of its names, and numbers where these say so. */
function patternOf(sentence: string): RegExp {
  const pieces = sentence.split(/{(\w+)}/).map((piece, place) =>
    place % 2 === 1
      ? `(?<${piece}>${piece.startsWith("number") ? "[\\d,]+" : ".*"})`
      : piece.replace(/[.*+?^$()|[\]\\]/g, "\\$&")
  );
  return new RegExp(`^${pieces.join("")}\\.?$`, "s");
}

/** Shows an error in a sentence, or nothing if it is null. */
export function showError(error: unknown, again?: () => void): TemplateResult | typeof nothing {
  if (error === null) return nothing;
  return html`
    <div class="row" role="alert">
      <span class="error" dir="auto">${describe(error)}</span>
      ${again === undefined ? nothing : html`<button class="small" @click=${again}>${t.shared.retry}</button>`}
    </div>
  `;
}

function describe(error: unknown): unknown {
  if (error instanceof ServiceError && error.code === "already_pinned" && error.body.answerId !== undefined) {
    const link = html`<a href=${linkTo("answers", error.body.answerId)}>${t.parts.alreadyPinnedLink}</a>`;
    return fillIn(t.parts.alreadyPinned, { link });
  }
  return describeError(error);
}

/** Shows what is read from the service, also while it is read, or could not be read. */
export function showLoading<Value>(
  loading: Pick<Loading<Value>, "value" | "error" | "load">,
  show: (value: Value) => unknown,
  ifFailed: unknown = showError(loading.error, () => loading.load()),
): TemplateResult {
  const { value, error } = loading;
  return html`
    ${ifFailed}
    ${value !== null
      ? show(value)
      : error === null
      ? html`<p class="muted" role="status">${t.parts.loading}</p>`
      : nothing}
  `;
}

/** Shows a list that grows by pages, in the same way, and when it is empty. */
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
  const show = ({ items }: { items: Item[] }) =>
    items.length === 0
      ? empty
      : html`<ul class="list" aria-label=${name}>${repeat(items, key, (one) => html`<li>${item(one)}</li>`)}</ul>`;
  return html`
    ${showLoading(list, show)}
    ${list.hasMore
      ? html`<div><button ?disabled=${list.isBusy} @click=${() => list.more()}>${t.parts.showMore}</button></div>`
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

/** Shows the links to the parts of a panel, of which one is open. */
export function showTabs(label: string, tabs: [href: string, name: string, isOpen: boolean][]): TemplateResult {
  return html`
    <nav class="toggles" aria-label=${label}>
      ${tabs.map(([href, name, isOpen]) => html`<a href=${href} aria-current=${isOpen ? "true" : nothing}>${name}</a>`)}
    </nav>
  `;
}
