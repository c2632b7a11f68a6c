import { html, nothing, type PropertyValues } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { type Property, state } from "../../ui/element.ts";
import { withoutMarks } from "../../ui/excerpt.ts";
import { renderMarkdown } from "../../ui/markdown.ts";
import { saveFile } from "../../ui/save_file.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { formatMoment, formatTime } from "../format.ts";
import { icons } from "../icons.ts";
import type { AnswerFields } from "../parts/answer_form.ts";
import "../parts/answer_form.ts";
import { searchField } from "../parts/search_field.ts";
import { showEmpty, showError, showList, showLoading } from "../parts/show_state.ts";
import { linkTo, type Route } from "../route.ts";
import { drafts } from "../state/drafts.ts";
import { Loading, PagedList } from "../state/work.ts";
import "../tests/save_as_test.ts";
import { fieldsOfPinned } from "../tests/test_fields.ts";
import { fill, plural, t } from "../texts.ts";
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

type Answer = Schemas["PinnedAnswerWithVersions"];

/** One pinned answer, with its earlier versions and its actions. */
export class AnswerDetail extends DeskPart.with({
  /** Never changes: each answer has an element of its own. */
  answerId: {} as Property<string>,
}) {
  #isEditing = state(this, false);
  #answer = this.show(new Loading((options) => this.client.getPinnedAnswer(this.coachId, this.answerId, options)));

  get #draft(): string {
    return `answer ${this.answerId}`;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#isEditing.value = "answer" in drafts.read(this.#draft);
  }

  override render() {
    const show = (answer: Answer) =>
      html`
        <h2 id="title" class="text">${answer.question}</h2>
        ${this.#isEditing.value ? this.#renderForm(answer) : this.#renderAnswer(answer)}
        ${this.#renderVersions(answer)}
      `;
    const gone = html`
      <h2 id="title">${t.answers.gone}</h2>
      <p class="muted">${t.answers.deletedHint}</p>
    `;
    return html`
      <section class="panel stack" aria-labelledby="title">
        <p><a class="back row" href=${linkTo("answers")}>${icons.back} ${t.answers.title}</a></p>
        ${showLoading(this.#answer, show, this.#answer.isGone ? gone : undefined)}
      </section>
    `;
  }

  #renderForm({ question, variants, answer }: Answer) {
    return html`
      <human-desk-answer-form .desk=${this.desk} .question=${question} .variants=${variants} .answer=${answer}
        .draft=${this.#draft} .save=${this.#save} .cancel=${() =>
          this.#isEditing.value = false}></human-desk-answer-form>
    `;
  }

  #renderAnswer(answer: Answer) {
    const { isBusy, error } = this.action;
    return html`
      <p class="facts small muted">
        ${answer.is_active ? nothing : html`<span class="tag danger">${t.answers.tagOff}</span>`}
        <span>${describeUse(answer)}</span>
      </p>
      <div class="card markdown" dir="auto">${renderMarkdown(answer.answer)}</div>
      ${answer.variants.length === 0 ? nothing : html`
        <div class="stack tight">
          <h3>${t.parts.otherWays}</h3>
          <ul class="text" dir="auto">${answer.variants.map((variant) => html`<li>${variant}</li>`)}</ul>
        </div>
      `}
      <div class="row">
        <button class="primary" @click=${() => this.#isEditing.value = true}>${t.parts.edit}</button>
        <button ?disabled=${isBusy} @click=${() => this.#switch(answer)}>${answer.is_active
          ? t.answers.switchOff
          : t.answers.switchOn}</button>
        ${this.confirmButton(t.parts.delete, t.answers.allVersions, this.#delete)}
        <human-desk-save-as-test .desk=${this.desk} .of=${answer.id} .read=${() => fieldsOfPinned(answer)}
        ></human-desk-save-as-test>
      </div>
      ${this.mayEdit ? nothing : html`<p class="small muted">${t.team.answers}</p>`}
      ${showError(error)}
    `;
  }

  #renderVersions({ versions, version: current }: Answer) {
    const earlier = versions.filter(({ version }) => version !== current);
    if (earlier.length === 0) return nothing;
    return html`
      <details>
        <summary>${plural(t.answers.earlier, earlier.length)}</summary>
        <ol class="list versions">
          ${earlier.map((version) =>
            html`
              <li class="card">
                <p class="facts small muted"><span>${fill(t.answers.versionTag, { version: version.version })}</span>
                  <span>${formatTime(version.written_at)}</span>
                  ${version.is_active ? nothing : html`<span class="tag">${t.answers.tagOff}</span>`}</p>
                <p class="text"><strong>${version.question}</strong></p>
                <div class="markdown" dir="auto">${renderMarkdown(version.answer)}</div>
              </li>
            `
          )}
        </ol>
      </details>
    `;
  }

  #save = async (fields: AnswerFields): Promise<void> => {
    await this.client.updatePinnedAnswer(this.coachId, this.answerId, fields);
    this.#isEditing.value = false;
    this.say(t.answers.saved);
    await this.#answer.load();
  };

  async #switch({ is_active }: Answer): Promise<void> {
    const change = { is_active: !is_active };
    if (!await this.run(() => this.client.updatePinnedAnswer(this.coachId, this.answerId, change))) return;
    this.say(is_active ? t.answers.switchedOff : t.answers.switchedOn);
    await this.#answer.load();
  }

  #delete = async (): Promise<void> => {
    if (!await this.run(() => this.client.deletePinnedAnswer(this.coachId, this.answerId))) return;
    drafts.drop(this.#draft);
    this.say(t.parts.deleted);
    location.hash = linkTo("answers");
  };
}

/** Describes the use of an answer. */
function describeUse(
  { hits, near_hits, last_hit_at }: Pick<Schemas["PinnedAnswer"], "hits" | "near_hits" | "last_hit_at">,
): string {
  if (hits + near_hits === 0) return t.answers.notGiven;
  const given = last_hit_at === null
    ? plural(t.answers.given, hits)
    : plural(t.answers.givenLast, hits, { time: formatMoment(last_hit_at) });
  return [
    hits > 0 && given,
    near_hits > 0 && plural(t.answers.shownToModel, near_hits),
  ].filter(Boolean).join(" · ");
}

customElements.define("human-desk-answer-detail", AnswerDetail);
