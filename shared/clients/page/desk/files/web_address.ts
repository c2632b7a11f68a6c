import { css, html, nothing } from "lit";
import "../../ui/confirm_button.ts";
import { type Fields, type Property, state } from "../../ui/element.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart, deskStyles } from "../desk_part.ts";
import { formatMoment, formatTime } from "../format.ts";
import { showError } from "../parts/show_error.ts";
import { Action, Loading } from "../state/work.ts";
import { mayEdit } from "../team/roles.ts";
import { fill, plural, t } from "../texts.ts";
import { linkToWeb } from "./link_to_web.ts";
import "./web_address_form.ts";
import { isUnderWay, kinds, states } from "./web_address_words.ts";

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
    const { url, kind, refresh, status, reason, pages, failed_pages, fetched_at, next_refresh_at } = source;
    const [name, look] = states[status]();
    const isReading = isUnderWay(source);
    return html`
      <article class="card split" aria-label=${url}>
        <div class="stack tight">
          <h3>${linkToWeb(url)}</h3>
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
              endSentence(reason)
            }</bdi></p>`}
          ${isReading || failed_pages === 0 ? nothing : this.#renderFailures()}
        </div>
        ${this.#isEditing.value
          ? html`
            <human-desk-web-address-form class="wide" .desk=${this.desk} .source=${source} .cancel=${this.#close}
              @done=${this.#onSaved}></human-desk-web-address-form>
          `
          : mayEdit(this.desk.role)
          ? html`
            <div class="row">
              <button class="small refresh" ?disabled=${isReading || this.#action.isBusy}
                @click=${this.#refresh}>${t.files.readNow}</button>
              <button class="small change" @click=${this.#change}>${t.files.change}</button>
              <human-confirm .words=${t.shared} question=${pages === 0
                ? t.files.removeAddress
                : plural(t.files.removeAddressPages, pages)}
                ?disabled=${this.#action.isBusy}
                @confirm=${this.#delete}>${t.files.remove}</human-confirm>
            </div>
          `
          : nothing}
        ${showError(this.#action.error)}
      </article>
    `;
  }

  #renderFailures() {
    const { value, error, isBusy } = this.#detail;
    return html`
      <details class="small" @toggle=${this.#onToggle}>
        <summary>${t.files.failures}</summary>
        ${showError(error, () => this.#detail.load())}
        ${isBusy && value === null ? html`<p class="muted" role="status">${t.parts.loading}</p>` : nothing}
        ${value === null ? nothing : value.failures.length === 0 ? html`<p class="muted">${t.parts.none}</p>` : html`
          <ul class="list" aria-label=${t.files.failures}>
            ${value.failures.map(({ url, reason }) =>
              html`<li>${linkToWeb(url)}<br><span class="text"><bdi>${endSentence(reason)}</bdi></span></li>`
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
    this.#done(t.parts.saved);
  };
  #refresh = async (): Promise<void> => {
    const { client, coach } = this.desk;
    const isDone = await this.#action.run(() => client.refreshSource(coach.id, this.source.id));
    if (isDone) this.#done(t.files.refreshed);
  };
  #delete = async (): Promise<void> => {
    const { client, coach } = this.desk;
    if (await this.#action.run(() => client.deleteSource(coach.id, this.source.id))) {
      this.#done(t.files.removed, true);
    }
  };
  #done(sentence: string, isGone = false): void {
    this.dispatchEvent(new CustomEvent("done", { detail: { sentence, isGone } }));
  }
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

/** Reasons are sentences without their point. */
function endSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

export interface WebAddress extends Fields<typeof WebAddress.properties> {}

customElements.define("human-desk-web-address", WebAddress);
