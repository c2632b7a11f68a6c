import { css, html, nothing } from "lit";
import { type Fields, type Property, state } from "../../ui/element.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart, deskStyles } from "../desk_part.ts";
import { icons } from "../icons.ts";
import { showError } from "../parts/show_error.ts";
import { Action } from "../state/work.ts";
import { fill, t } from "../texts.ts";
import { kinds, refreshTimes } from "./web_address_words.ts";

type Source = Schemas["KnowledgeSource"];

const mostPages = 500;

/**
 * The form for a web address: for a new one, or for when it is read again and how many of its pages.
 *
 * @fires done - The address was added or changed. The detail is the address.
 */
export class WebAddressForm extends DeskPart {
  static override styles = [
    deskStyles,
    css`
      fieldset {
        display: grid;
        gap: 0.375rem;
        margin: 0;
        padding: 0;
        border: 0;
      }
      legend {
        margin-block-end: 0.25rem;
        padding: 0;
        font-size: 0.875rem;
        font-weight: 600;
      }
      .small-fields {
        display: flex;
        flex-wrap: wrap;
        gap: 0.75rem;
      }
      [name="limit"] {
        inline-size: 7rem;
      }
    `,
  ];
  static override properties = {
    /** The address that is changed; null for a new one. */
    source: { attribute: false, first: null } as Property<Source | null>,
    /** Called when nothing is to be changed. */
    cancel: { attribute: false } as Property<(() => void) | undefined>,
  };

  #kind = state<Source["kind"]>(this, "page");
  #complaint = state(this, "");
  #action = this.use(new Action());

  override render() {
    const { source } = this;
    const kind = source?.kind ?? this.#kind.value;
    const [complaint, { isBusy, error }] = [this.#complaint.value, this.#action];
    return html`
      <form class="stack" @submit=${this.#submit} novalidate>
        ${source === null ? this.#renderAddress() : nothing}
        <div class="small-fields">
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
            ? html`${icons.plus} ${isBusy ? t.files.adding : t.files.add}`
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
    const { client, coach } = this.desk;
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
    let changed: Source | null = null;
    const isDone = await this.#action.run(async () => {
      changed = this.source === null
        ? await client.addSource(coach.id, { url, kind: this.#kind.value, refresh, limit: limit ?? mostPages })
        : await client.updateSource(coach.id, this.source.id, { refresh, limit });
    });
    if (!isDone) return;
    const field = this.renderRoot.querySelector<HTMLInputElement>("[name=url]");
    if (field) field.value = "";
    this.dispatchEvent(new CustomEvent("done", { detail: changed }));
  };
}

export interface WebAddressForm extends Fields<typeof WebAddressForm.properties> {}

customElements.define("human-desk-web-address-form", WebAddressForm);
