import { html, nothing } from "lit";
import "../../ui/confirm_button.ts";
import { type Property, state } from "../../ui/element.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { sayReason, showEmpty, showError, showList, showLoading } from "../parts/show_state.ts";
import { Loading, PagedList } from "../state/work.ts";
import { Polling } from "../state/polling.ts";
import { fill, plural, t } from "../texts.ts";
import { formatMoment, formatTime } from "../format.ts";
import { linkToWeb } from "../parts/sources.ts";
import { isUnderWay, kinds, states } from "./web_address_form.ts";

type Source = Schemas["KnowledgeSource"];

/** The web addresses that the persona knows: a form for a new one, and the list. */
export class WebAddresses extends DeskPart {
  #list = this.show(new PagedList((page, options) => this.client.listSources(this.coachId, page, options)));
  #polling = new Polling(this, this.#list, ({ items }) => items.some(isUnderWay));

  override render() {
    return html`
      <div class="stack">
        ${this.mayEdit
          ? html`
            <section class="card stack" aria-labelledby="new">
              <h3 id="new" tabindex="-1">${t.files.addAddress}</h3>
              <human-desk-web-address-form .desk=${this.desk} @done=${this.#onAdded}></human-desk-web-address-form>
            </section>
          `
          : html`<p class="muted">${t.team.files}</p>`}
        ${showList(this.#list, {
          name: t.files.websites,
          key: ({ id }) => id,
          item: (source) =>
            html`
              <human-desk-web-address .desk=${this.desk} .source=${source}
                @done=${this.#readSoon} @removed=${this.#onRemoved}></human-desk-web-address>
            `,
          empty: showEmpty(t.files.websitesEmpty, t.files.websitesEmptyHint),
        })}
      </div>
    `;
  }

  #onAdded = ({ detail }: CustomEvent<Source>): void => {
    const isKnown = this.#list.items?.some(({ id }) => id === detail.id);
    this.say(isKnown ? t.files.knownAddress : t.files.addedAddress);
    this.#readSoon();
  };
  #onRemoved = (): void => {
    // The element that had the focus was removed.
    this.renderRoot.querySelector<HTMLElement>("#new")?.focus();
    this.#readSoon();
  };
  #readSoon = (): void => {
    this.#polling.restart();
    void this.#list.load();
  };
}

customElements.define("human-desk-web-addresses", WebAddresses);

/**
 * A web address in the list, with its state, its pages that could not be used, and its actions.
 *
 * @fires done - The address was changed.
 * @fires removed - It was removed.
 */
export class WebAddress extends DeskPart.with({ source: {} as Property<Source> }) {
  #isEditing = state(this, false);
  #detail = this.use(new Loading((options) => this.client.getSource(this.coachId, this.source.id, options)));

  override render() {
    const { source } = this;
    const { url, kind, refresh, status, reason, pages, failed_pages, fetched_at, next_refresh_at } = source;
    const [name, look] = states[status]();
    const isReading = isUnderWay(source);
    return html`
      <article class="card split" aria-label=${url}>
        <div class="stack tight">
          <h3 class="text">${linkToWeb(url)}</h3>
          <p class="facts small muted">
            <span class="tag ${look}" role="status">${name}</span>
            <span>${kinds[kind]()[0]}</span>
            <span>${describePages(source)}</span>
            ${fetched_at === null ? nothing : html`
              <span title=${formatTime(fetched_at)}>${fill(t.files.readAt, { time: formatMoment(fetched_at) })}</span>
            `}
            <span title=${next_refresh_at === null ? nothing : formatTime(next_refresh_at)}>${describeNext(
              refresh,
              next_refresh_at,
            )}</span>
          </p>
          ${reason === null
            ? nothing
            : html`<p class="small text ${status === "failed" ? "error" : "muted"}"><bdi>${
              sayReason(reason)
            }</bdi></p>`}
          ${isReading || failed_pages === 0 ? nothing : this.#renderFailures()}
        </div>
        ${this.#isEditing.value
          ? html`
            <human-desk-web-address-form class="wide" .desk=${this.desk} .source=${source} .cancel=${this.#close}
              @done=${this.#onSaved}></human-desk-web-address-form>
          `
          : this.mayEdit
          ? html`
            <div class="row">
              <button class="small refresh" ?disabled=${isReading || this.isBusy}
                @click=${this.#refresh}>${t.files.readNow}</button>
              <button class="small change" @click=${() => this.#isEditing.value = true}>${t.files.change}</button>
              <human-confirm .words=${t.shared} question=${pages === 0
                ? t.files.removeAddress
                : plural(t.files.removeAddressPages, pages)}
                ?disabled=${this.isBusy}
                @confirm=${this.#delete}>${t.parts.remove}</human-confirm>
            </div>
          `
          : nothing}
        ${showError(this.action.error)}
      </article>
    `;
  }

  #renderFailures() {
    const show = ({ failures }: Schemas["KnowledgeSourceDetail"]) =>
      failures.length === 0 ? html`<p class="muted">${t.parts.none}</p>` : html`
        <ul class="list versions" aria-label=${t.files.failures}>
          ${failures.map(({ url, reason }) =>
            html`<li>${linkToWeb(url)}<br><span class="text"><bdi>${sayReason(reason)}</bdi></span></li>`
          )}
        </ul>
      `;
    return html`
      <details class="small" @toggle=${this.#onToggle}>
        <summary>${t.files.failures}</summary>
        ${showLoading(this.#detail, show)}
      </details>
    `;
  }

  /** Reads them each time: other pages may have failed since. */
  #onToggle = (event: Event): void => {
    if ((event.target as HTMLDetailsElement).open) void this.#detail.load();
  };

  #close = (): Promise<void> => {
    this.#isEditing.value = false;
    return this.focusOn(".change");
  };
  #onSaved = (): void => {
    void this.#close();
    this.done(t.parts.saved);
  };
  #refresh = async (): Promise<void> => {
    const isDone = await this.run(() => this.client.refreshSource(this.coachId, this.source.id));
    if (isDone) this.done(t.files.refreshed);
  };
  #delete = async (): Promise<void> => {
    if (!await this.run(() => this.client.deleteSource(this.coachId, this.source.id))) return;
    this.say(t.files.removed);
    this.dispatchEvent(new CustomEvent("removed"));
  };
}

function describeNext(refresh: Source["refresh"], next: string | null): string {
  if (refresh === "never") return t.files.atNever;
  if (next !== null) return fill(t.files.again, { time: formatMoment(next) });
  return refresh === "daily" ? t.files.atDaily : t.files.atWeekly;
}

/** Describes how many pages were read, and of a website or feed also how many there may be. */
function describePages(source: Source): string {
  const { kind, pages } = source;
  const isSoFar = isUnderWay(source) && pages > 0;
  if (kind === "page") return plural(isSoFar ? t.files.pagesSoFar : t.files.pages, pages);
  return plural(isSoFar ? t.files.pagesSoFarOf : t.files.pagesOf, pages, { limit: source.limit });
}

customElements.define("human-desk-web-address", WebAddress);
