import { html, nothing } from "lit";
import { isolate } from "../../../isolate.ts";
import { type Property, styleSheets } from "../../ui/element.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { formatMoment, formatTime } from "../format.ts";
import { icons } from "../icons.ts";
import { showEmpty, showError, showList } from "../parts/show_state.ts";
import { showOne } from "../parts/show_words.ts";
import { linkTo } from "../route.ts";
import { Loading, PagedList } from "../state/work.ts";
import { fill, plural, t } from "../texts.ts";
import cardStyles from "./contradiction_card.css" with { type: "text" };
import styles from "./contradictions_list.css" with { type: "text" };

type Contradiction = Schemas["Contradiction"];

/** The list of what files contradict each other in. */
export class ContradictionsList extends DeskPart {
  static override styles = styleSheets(styles);

  #list = this.show(new PagedList((page, options) => this.client.listContradictions(this.coachId, page, options)));

  override render() {
    return html`
      <section class="stack" tabindex="-1" aria-label=${t.files.contradictions}>
        ${showList(this.#list, {
          name: t.files.contradictions,
          key: ({ id }) => id,
          item: (contradiction) =>
            html`
              <human-desk-contradiction .desk=${this.desk} .contradiction=${contradiction} @done=${this
                .#onSettled}></human-desk-contradiction>
            `,
          empty: showEmpty(t.files.noContradictions, t.files.noContradictionsHint),
        })}
      </section>
    `;
  }

  #onSettled = (): void => {
    // The button that had the focus is gone.
    this.renderRoot.querySelector("section")?.focus();
    void this.#list.load();
  };
}
customElements.define("human-desk-contradictions", ContradictionsList);

/**
 * Two passages side by side, and which of them counts.
 *
 * @fires done - It was settled.
 */
export class ContradictionCard extends DeskPart.with({ contradiction: {} as Property<Contradiction> }) {
  static override styles = styleSheets(cardStyles);

  override render() {
    const { is_confirmed } = this.contradiction;
    return html`
      <article class="card stack" aria-label=${is_confirmed ? t.files.contradicts : t.files.mayContradict}>
        <p><span class="tag person">${is_confirmed ? t.files.contradicts : t.files.mayContradict}</span></p>
        <div class="both">${this.#renderSide("one", "other")} ${this.#renderSide("other", "one")}</div>
        ${this.mayEdit
          ? html`
            <p class="row spread">
              <span class="small muted">${t.files.countsHint}</span>
              <button class="quiet" ?disabled=${this.isBusy} @click=${() =>
                this.#settle(null, false, t.files.bothKept)}>
                ${t.files.bothStay}
              </button>
            </p>
          `
          : nothing}
        ${showError(this.action.error)}
      </article>
    `;
  }

  #renderSide(mine: "one" | "other", theirs: "one" | "other") {
    const { statements, [mine]: side, [theirs]: other } = this.contradiction;
    const name = { name: isolate(side.filename) };
    const page = side.page === null ? "" : fill(t.shared.page, { page: side.page });
    return html`
      <div class="stack tight" role="group" aria-label=${side.filename}>
        <p class="facts small">
          <strong class="text"><bdi>${side.filename}</bdi></strong>
          ${[page, side.heading ?? ""].map((text) =>
            text === "" ? nothing : html`<span class="muted text"><bdi>${text}</bdi></span>`
          )}
          <span class="muted" title=${formatTime(side.dated_at)}>${formatMoment(side.dated_at)}</span>
        </p>
        ${statements.map((statement) => showOne(showRow(statement[mine]), showRow(statement[theirs])))}
        <details class="small">
          <summary>${t.files.wholePassage}</summary>
          <blockquote class="small pre" dir="auto">${side.content}</blockquote>
        </details>
        ${this.mayEdit
          ? html`
            <div class="row">
              <button ?disabled=${this.isBusy} @click=${() =>
                this.#settle(side.passage_id, false, fill(t.files.counted, name))}>${t.files.thisCounts}</button>
              <button class="quiet" ?disabled=${this.isBusy} @click=${() =>
                this.#settle(other.passage_id, true, fill(t.files.ended, name))}>
                ${t.files.isOutOfDate}
              </button>
            </div>
          `
          : nothing}
      </div>
    `;
  }

  /** @param sentence what is said of it */
  async #settle(counts: string | null, ends_file: boolean, sentence: string): Promise<void> {
    const { id } = this.contradiction;
    if (!await this.run(() => this.client.settleContradiction(this.coachId, id, { counts, ends_file }))) return;
    this.done(sentence);
  }
}

/** A row of a table without the lines at its ends. */
const showRow = (text: string) => text.replace(/^\|\s*|\s*\|$/g, "");

customElements.define("human-desk-contradiction", ContradictionCard);

/** A line above the files that leads to the contradictions, if there are any. */
export class ContradictionsNote extends DeskPart {
  #count = this.show(
    new Loading(async (options) => (await this.client.listContradictions(this.coachId, { limit: 100 }, options)).count),
  );

  override render() {
    const count = this.#count.value ?? 0;
    if (count === 0) return nothing;
    return html`
      <div class="card">
        <p class="row small">
          <span>${icons.files}</span>
          <span class="text">${plural(t.files.contradictionsFound, count)}</span>
          <a href=${linkTo("files", "contradictions")}>${t.files.lookAtThem}</a>
        </p>
      </div>
    `;
  }
}
customElements.define("human-desk-contradictions-note", ContradictionsNote);
