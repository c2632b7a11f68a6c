import { html, nothing } from "lit";
import { type Property, state, styleSheets } from "../../ui/element.ts";
import type { Schemas } from "../desk.ts";
import { fill, t } from "../texts.ts";
import { DeskPart } from "../desk_part.ts";
import { icons } from "../icons.ts";
import { showError } from "../parts/show_state.ts";
import styles from "./web_address_form.css" with { type: "text" };

type Source = Schemas["KnowledgeSource"];

/** The kinds of web addresses in words, each with what it means. */
export const kinds: Record<Source["kind"], () => [name: string, meaning: string]> = {
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
export const states: Record<Source["status"], () => [name: string, look: string]> = {
  queued: () => [t.files.waitingTag, ""],
  reading: () => [t.files.beingRead, ""],
  ready: () => [t.files.readyTag, "ai"],
  failed: () => [t.files.unreadable, "danger"],
};

/** Returns true if the service has not finished reading an address. */
export function isUnderWay({ status }: Source): boolean {
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
