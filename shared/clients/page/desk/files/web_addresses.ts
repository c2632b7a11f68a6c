import { html, nothing } from "lit";
import { type Property, state, styleSheets } from "../../ui/element.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { formatMoment, formatTime } from "../format.ts";
import { icons } from "../icons.ts";
import { sayReason, showEmpty, showError, showList, showLoading } from "../parts/show_state.ts";
import { linkToWeb } from "../parts/sources.ts";
import { Polling } from "../state/polling.ts";
import { Loading, PagedList } from "../state/work.ts";
import { fill, plural, t } from "../texts.ts";
import styles from "./web_address_form.css" with { type: "text" };

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
    const question = pages === 0 ? t.files.removeAddress : plural(t.files.removeAddressPages, pages);
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
              ${this.confirmButton(t.parts.remove, question, this.#delete)}
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

/** The kinds of web addresses in words, each with what it means. */
const kinds: Record<Source["kind"], () => [name: string, meaning: string]> = {
  page: () => [t.files.kindPage, t.files.kindPageHint],
  site: () => [t.files.kindSite, t.files.kindSiteHint],
  feed: () => [t.files.kindFeed, t.files.kindFeedHint],
};

/** The times after which an address is read again, in words. */
const refreshTimes: Record<Source["refresh"], () => string> = {
  never: () => t.files.never,
  daily: () => t.files.daily,
  weekly: () => t.files.weekly,
};

/** The states of web addresses in words, each with its look. */
const states: Record<Source["status"], () => [name: string, look: string]> = {
  queued: () => [t.files.waitingTag, ""],
  reading: () => [t.files.beingRead, ""],
  ready: () => [t.files.readyTag, "ai"],
  failed: () => [t.files.unreadable, "danger"],
};

/** Returns true if the service has not finished reading an address. */
function isUnderWay({ status }: Source): boolean {
  return status === "queued" || status === "reading";
}

const mostPages = 500;

/**
 * The form for a web address: for a new one, or for when it is read again and how many of its pages.
 *
 * @fires done - The address was added or changed. The detail is the address.
 */
export class WebAddressForm extends DeskPart.with({
  /** The address that is changed; null for a new one. */
  source: { attribute: false, first: null } as Property<Source | null>,
  /** Called when nothing is to be changed. */
  cancel: { attribute: false } as Property<(() => void) | undefined>,
}) {
  static override styles = styleSheets(styles);

  #kind = state<Source["kind"]>(this, "page");
  #complaint = state(this, "");

  override render() {
    const { source } = this;
    const kind = source?.kind ?? this.#kind.value;
    const [complaint, { isBusy, error }] = [this.#complaint.value, this.action];
    return html`
      <form class="stack" @submit=${this.#submit} novalidate>
        ${source === null ? this.#renderAddress() : nothing}
        <div class="row">
          <label class="field">${t.files.readAgain}
            <select name="refresh">
              ${Object.entries(refreshTimes).map(([value, words]) =>
                html`<option value=${value} ?selected=${value === (source?.refresh ?? "weekly")}>${words()}</option>`
              )}
            </select>
          </label>
          ${kind === "page" ? nothing : html`
            <label class="field">${t.files.pagesAtMost}
              <input name="limit" type="number" inputmode="numeric" min="1" max=${mostPages}
                .defaultValue=${String(source?.limit ?? mostPages)}>
            </label>
          `}
        </div>
        ${complaint ? html`<p class="error" role="alert">${complaint}</p>` : showError(error)}
        <div class="row">
          <button class="primary" ?disabled=${isBusy}>${source === null
            ? html`${icons.plus} ${isBusy ? t.files.adding : t.tests.add}`
            : isBusy
            ? t.parts.saving
            : t.parts.save}</button>
          ${this.cancel === undefined ? nothing : html`
            <button type="button" @click=${this.cancel}>${t.shared.cancel}</button>
          `}
        </div>
      </form>
    `;
  }

  #renderAddress() {
    return html`
      <label class="field">${t.files.address}
        <input name="url" type="url" inputmode="url" autocomplete="url" spellcheck="false"
          dir="ltr" placeholder="https://www.example.com/">
      </label>
      <fieldset>
        <legend>${t.files.kinds}</legend>
        ${Object.entries(kinds).map(([value, words]) => {
          const [name, meaning] = words();
          return html`
            <label class="check"><input type="radio" name="kind" value=${value} .checked=${this.#kind.value === value}
                @change=${() => this.#kind.value = value as Source["kind"]}>
              <span>${name} <span class="hint">${meaning}</span></span>
            </label>
          `;
        })}
      </fieldset>
    `;
  }

  #valueOf(name: string): string {
    return this.renderRoot.querySelector<HTMLInputElement>(`[name=${name}]`)?.value.trim() ?? "";
  }

  #submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const refresh = this.#valueOf("refresh") as Source["refresh"];
    const limit = this.#valueOf("limit") === "" ? undefined : Number(this.#valueOf("limit"));
    const given = this.#valueOf("url");
    // Addresses are often written without it.
    const url = /^[a-z][a-z\d+.-]*:/i.test(given) && !/^[^/]+:\d+(?:\/|$)/.test(given) ? given : `https://${given}`;
    this.#complaint.value = this.source === null && given === ""
      ? t.files.addressMissing
      : limit !== undefined && !(Number.isInteger(limit) && limit >= 1 && limit <= mostPages)
      ? fill(t.files.pagesLimit, { limit: mostPages })
      : "";
    if (this.#complaint.value) return;
    const changed = await this.ask(() =>
      this.source === null
        ? this.client.addSource(this.coachId, { url, kind: this.#kind.value, refresh, limit: limit ?? mostPages })
        : this.client.updateSource(this.coachId, this.source.id, { refresh, limit })
    );
    if (changed === null) return;
    const field = this.renderRoot.querySelector<HTMLInputElement>("[name=url]");
    if (field) field.value = "";
    this.dispatchEvent(new CustomEvent("done", { detail: changed.reply }));
  };
}

customElements.define("human-desk-web-address-form", WebAddressForm);
