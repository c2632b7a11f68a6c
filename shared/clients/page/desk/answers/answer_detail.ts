import { html, nothing } from "lit";
import "../../ui/confirm_button.ts";
import { renderMarkdown } from "../../ui/markdown.ts";
import { type Property, state } from "../../ui/element.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { formatMoment, formatTime } from "../format.ts";
import { icons } from "../icons.ts";
import type { AnswerFields } from "../parts/answer_form.ts";
import { showError, showLoading } from "../parts/show_state.ts";
import { linkTo } from "../route.ts";
import { Loading } from "../state/work.ts";
import { drafts } from "../state/drafts.ts";
import { fieldsOfPinned } from "../tests/test_fields.ts";
import "../tests/save_as_test.ts";
import { fill, plural, t } from "../texts.ts";

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
        <human-confirm .words=${t.shared} question=${t.answers.allVersions} ?disabled=${isBusy}
          @confirm=${this.#delete}>${t.parts.delete}</human-confirm>
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
export function describeUse(
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
