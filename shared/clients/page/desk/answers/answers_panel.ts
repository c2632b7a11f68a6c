import { html, nothing, type PropertyValues } from "lit";
import { keyed } from "lit/directives/keyed.js";
import type { Property } from "../../ui/element.ts";
import { withoutMarks } from "../../ui/excerpt.ts";
import { saveFile } from "../../ui/save_file.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { icons } from "../icons.ts";
import type { AnswerFields } from "../parts/answer_form.ts";
import "../parts/answer_form.ts";
import { searchField } from "../parts/search_field.ts";
import { showEmpty, showError, showList } from "../parts/show_state.ts";
import { linkTo, type Route } from "../route.ts";
import { PagedList } from "../state/work.ts";
import { plural, t } from "../texts.ts";
import { describeUse } from "./answer_detail.ts";
import "./import_answers.ts";

type PinnedAnswer = Schemas["PinnedAnswer"];

/** The panel of pinned answers: the list, one answer, or a new one. */
export class AnswersPanel extends DeskPart.with({ route: {} as Property<Route> }) {
  #list = this.use(
    new PagedList((page, options) => {
      const { filters } = this.route;
      const search = filters.get("search") || undefined;
      const is_active = filters.has("off") ? "false" as const : undefined;
      return this.client.listPinnedAnswers(this.coachId, { search, is_active, ...page }, options);
    }),
  );

  override willUpdate(changed: PropertyValues<this>): void {
    // An answer may have changed while it was open.
    if ((changed.has("desk") || changed.has("route")) && this.route.id === null) void this.#list.restart();
  }

  override render() {
    const { id, filters } = this.route;
    const { mayEdit } = this;
    if (id === "new" && mayEdit) return this.#renderNew();
    if (id === "import" && mayEdit) {
      return html`<human-desk-import-answers .desk=${this.desk}></human-desk-import-answers>`;
    }
    if (id !== null && id !== "new" && id !== "import") {
      return keyed(id, html`<human-desk-answer-detail .desk=${this.desk} .answerId=${id}></human-desk-answer-detail>`);
    }
    const isFiltered = filters.has("search") || filters.has("off");
    return html`
      <section class="panel stack" aria-labelledby="title">
        <div class="row spread">
          <h2 id="title">${t.answers.title}</h2>
          <div class="row">
            ${mayEdit ? html`<a class="button" href=${linkTo("answers", "import")}>${t.answers.import}</a>` : nothing}
            <button ?disabled=${this.isBusy} @click=${this.#save}>${t.answers.export}</button>
            ${mayEdit
              ? html`<a class="button" href=${linkTo("answers", "new")}>${icons.plus} ${t.answers.new}</a>`
              : nothing}
          </div>
        </div>
        ${mayEdit ? nothing : html`<p class="muted">${t.team.answers}</p>`}
        ${showError(this.action.error)}
        <div class="row nowrap">
          ${searchField({
            label: t.answers.search,
            value: filters.get("search") ?? "",
            search: (words) => this.#filter("search", words),
          })}
          <button class="toggle" aria-pressed=${filters.has("off")}
            @click=${() => this.#filter("off", filters.has("off") ? "" : "1")}>${t.answers.toggleOff}</button>
        </div>
        ${showList(this.#list, {
          name: t.answers.title,
          key: (answer) => answer.id,
          item: showItem,
          empty: isFiltered
            ? showEmpty(t.answers.noneFound, t.answers.noMatch)
            : showEmpty(t.answers.empty, t.answers.emptyHint),
        })}
      </section>
    `;
  }

  #renderNew() {
    const question = this.route.filters.get("question") ?? "";
    const back = () => location.hash = linkTo("answers");
    return html`
      <section class="panel stack" aria-labelledby="title">
        <h2 id="title">${t.answers.new}</h2>
        ${keyed(
          question,
          html`
            <human-desk-answer-form .desk=${this.desk} .question=${question} .draft=${`new answer ${question}`}
              submit=${t.answers.pin} .save=${this.#create} .cancel=${back}></human-desk-answer-form>
          `,
        )}
      </section>
    `;
  }

  #save = async (): Promise<void> => {
    await this.run(async () => saveFile(await this.client.exportAnswers(this.coachId), "answers.csv"));
  };

  #create = async (fields: AnswerFields): Promise<void> => {
    const { id } = await this.client.createPinnedAnswer(this.coachId, fields);
    this.say(t.answers.pinned);
    location.hash = linkTo("answers", id);
  };

  #filter(name: string, value: string): void {
    const filters = new URLSearchParams(this.route.filters);
    filters.set(name, value);
    location.hash = linkTo("answers", null, filters);
  }
}

function showItem({ id, question, answer, variants, is_active, ...use }: PinnedAnswer) {
  return html`
    <article class="card">
      <h3 class="text"><a class="title" href=${linkTo("answers", id)}>${question}</a></h3>
      <p class="clamp text">${withoutMarks(answer)}</p>
      <p class="facts small muted">
        ${is_active ? nothing : html`<span class="tag danger">${t.answers.tagOff}</span>`}
        <span>${describeUse(use)}</span>
        ${variants.length === 0 ? nothing : html`<span>${plural(t.answers.otherWordings, variants.length)}</span>`}
      </p>
    </article>
  `;
}

customElements.define("human-desk-answers", AnswersPanel);
