import { css, html, nothing } from "lit";
import "../../ui/confirm_button.ts";
import { type Fields, type Property, state } from "../../ui/element.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart, deskStyles } from "../desk_part.ts";
import { count, formatMoment, formatTime } from "../format.ts";
import { showError } from "../parts/show_error.ts";
import { Action, Loading } from "../state/work.ts";
import { linkToWeb } from "./link_to_web.ts";
import "./web_address_form.ts";
import { isUnderWay, kinds, refreshTimes, states } from "./web_address_words.ts";

type Source = Schemas["KnowledgeSource"];

/**
 * A web address in the list, with its state, its pages that could not be used, and its actions.
 *
 * @fires done - The address was changed or removed. The detail is a sentence about it.
 */
export class WebAddress extends DeskPart {
  static override styles = [
    deskStyles,
    css`
      h3 {
        overflow-wrap: anywhere;
      }
      details ul {
        margin-block-start: 0.5rem;
      }
    `,
  ];
  static override properties = { source: {} as Property<Source> };

  #isEditing = state(this, false);
  #action = this.use(new Action());
  #detail = this.use(
    new Loading<Schemas["KnowledgeSourceDetail"]>((signal) =>
      this.desk.client.getSource(this.desk.coach.id, this.source.id, { signal })
    ),
  );

  override render() {
    const { source } = this;
    const { url, kind, refresh, limit, status, reason, pages, fetched_at, next_refresh_at } = source;
    const [name, look] = states[status];
    const isReading = isUnderWay(source);
    return html`
      <article class="card split" aria-label=${url}>
        <div class="stack tight">
          <h3>${linkToWeb(url)}</h3>
          <p class="facts small muted">
            <span class="tag ${look}" role="status">${name}</span>
            <span>${kinds[kind][0]}</span>
            <span>${count(pages, "page")}${isReading && pages > 0 ? " so far" : ""}${kind === "page"
              ? ""
              : ` of at most ${limit}`}</span>
            ${fetched_at === null ? nothing : html`
              <span title=${formatTime(fetched_at)}>read ${formatMoment(fetched_at)}</span>
            `}
            <span title=${next_refresh_at === null ? nothing : formatTime(next_refresh_at)}>${describeNext(
              refresh,
              next_refresh_at,
            )}</span>
          </p>
          ${reason === null
            ? nothing
            : html`<p class="small text ${status === "failed" ? "error" : "muted"}">${endSentence(reason)}</p>`}
          ${isReading || fetched_at === null ? nothing : this.#renderFailures()}
        </div>
        ${this.#isEditing.value
          ? html`
            <human-desk-web-address-form class="wide" .desk=${this.desk} .source=${source} .cancel=${this.#close}
              @done=${this.#onSaved}></human-desk-web-address-form>
          `
          : html`
            <div class="row">
              <button class="small refresh" ?disabled=${isReading || this.#action.isBusy}
                @click=${this.#refresh}>Read now</button>
              <button class="small change" @click=${this.#change}>Change</button>
              <human-confirm question="Remove this address? ${pages === 0
                ? "Nothing was read from it."
                : `${count(pages, "page")} ${pages === 1 ? "goes" : "go"} with it.`}"
                confirm="Remove" ?disabled=${this.#action.isBusy} @confirm=${this.#delete}>Remove</human-confirm>
            </div>
          `}
        ${showError(this.#action.error)}
      </article>
    `;
  }

  #renderFailures() {
    const { value, error, isBusy } = this.#detail;
    return html`
      <details class="small" @toggle=${this.#onToggle}>
        <summary>Pages that could not be used</summary>
        ${showError(error, () => this.#detail.load())}
        ${isBusy && value === null ? html`<p class="muted" role="status">Loading…</p>` : nothing}
        ${value === null ? nothing : value.failures.length === 0 ? html`<p class="muted">None.</p>` : html`
          <ul class="list" aria-label="Pages that could not be used">
            ${value.failures.map(({ url, reason }) =>
              html`<li>${linkToWeb(url)}<br><span class="text">${endSentence(reason)}</span></li>`
            )}
          </ul>
        `}
      </details>
    `;
  }

  /** Reads them each time: other pages may have failed since. */
  #onToggle = (event: Event): void => {
    if ((event.target as HTMLDetailsElement).open) void this.#detail.load();
  };

  #change = (): void => {
    this.#isEditing.value = true;
  };
  #close = async (): Promise<void> => {
    this.#isEditing.value = false;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(".change")?.focus();
  };
  #onSaved = (): void => {
    void this.#close();
    this.#done("Saved.");
  };
  #refresh = async (): Promise<void> => {
    const { client, coach } = this.desk;
    const isDone = await this.#action.run(() => client.refreshSource(coach.id, this.source.id));
    if (isDone) this.#done("It is read again now.");
  };
  #delete = async (): Promise<void> => {
    const { client, coach } = this.desk;
    if (await this.#action.run(() => client.deleteSource(coach.id, this.source.id))) {
      this.#done("Removed, with everything that was read from it.", true);
    }
  };
  #done(sentence: string, isGone = false): void {
    this.dispatchEvent(new CustomEvent("done", { detail: { sentence, isGone } }));
  }
}

function describeNext(refresh: Source["refresh"], next: string | null): string {
  if (refresh === "never") return "not read again by itself";
  return next === null ? refreshTimes[refresh].toLowerCase() : `again ${formatMoment(next)}`;
}

/** Reasons are sentences without their point. */
function endSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

export interface WebAddress extends Fields<typeof WebAddress.properties> {}

customElements.define("human-desk-web-address", WebAddress);
