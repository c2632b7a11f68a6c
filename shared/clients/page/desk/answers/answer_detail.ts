import { html, nothing } from "lit";
import "../../ui/confirm_button.ts";
import { renderMarkdown } from "../../ui/markdown.ts";
import { ServiceError } from "../../../client/service_error.ts";
import { type Fields, type Property, state } from "../../ui/element.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { formatMoment, formatTime, times } from "../format.ts";
import { icons } from "../icons.ts";
import type { AnswerFields } from "../parts/answer_form.ts";
import { showError } from "../parts/show_error.ts";
import { linkTo } from "../route.ts";
import { Action, Loading } from "../state/work.ts";
import { drafts } from "../state/drafts.ts";
import { fieldsOfPinned } from "../tests/fields_of.ts";
import "../tests/save_as_test.ts";

type Answer = Schemas["PinnedAnswerWithVersions"];

/** One pinned answer, with its earlier versions and its actions. */
export class AnswerDetail extends DeskPart {
  static override properties = {
    /** Never changes: each answer has an element of its own. */
    answerId: {} as Property<string>,
  };

  #isEditing = state(this, false);
  #action = this.use(new Action());
  #answer = this.use(
    new Loading<Answer>((signal) => this.desk.client.getPinnedAnswer(this.desk.coach.id, this.answerId, { signal })),
  );

  get #draft(): string {
    return `answer ${this.answerId}`;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#isEditing.value = "answer" in drafts.read(this.#draft);
    void this.#answer.load();
  }

  override render() {
    const { value: answer, error } = this.#answer;
    const isGone = error instanceof ServiceError && error.status === 404;
    return html`
      <section class="panel stack" aria-labelledby="title">
        <p><a class="back row" href=${linkTo("answers")}>${icons.back} Your answers</a></p>
        ${isGone
          ? html`
            <h2 id="title">This answer no longer exists</h2>
            <p class="muted">It was deleted.</p>
          `
          : showError(error, () => this.#answer.load())}
        ${answer === null ? error === null ? html`<p class="muted" role="status">Loading…</p>` : nothing : html`
          <h2 id="title" class="text">${answer.question}</h2>
          ${this.#isEditing.value ? this.#renderForm(answer) : this.#renderAnswer(answer)}
          ${this.#renderVersions(answer)}
        `}
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
    const { isBusy, error } = this.#action;
    return html`
      <p class="facts small muted">
        ${answer.is_active ? nothing : html`<span class="tag danger">switched off</span>`}
        <span>${describeUse(answer)}</span>
      </p>
      <div class="card markdown">${renderMarkdown(answer.answer)}</div>
      ${answer.variants.length === 0 ? nothing : html`
        <div class="stack tight">
          <h3>Other ways to ask it</h3>
          <ul class="text">${answer.variants.map((variant) => html`<li>${variant}</li>`)}</ul>
        </div>
      `}
      <div class="row">
        <button class="primary" @click=${() => this.#isEditing.value = true}>Edit</button>
        <button ?disabled=${isBusy} @click=${() => this.#switch(answer)}>${answer.is_active
          ? "Switch off"
          : "Switch on"}</button>
        <human-confirm question="Delete this answer and all its versions?" ?disabled=${isBusy}
          @confirm=${this.#delete}>Delete</human-confirm>
        <human-desk-save-as-test .desk=${this.desk} .of=${answer.id} .read=${() => fieldsOfPinned(answer)}
        ></human-desk-save-as-test>
      </div>
      ${showError(error)}
    `;
  }

  #renderVersions({ versions, version: current }: Answer) {
    const earlier = versions.filter(({ version }) => version !== current);
    if (earlier.length === 0) return nothing;
    return html`
      <details>
        <summary>${earlier.length === 1 ? "One earlier version" : `${earlier.length} earlier versions`}</summary>
        <ol class="list versions">
          ${earlier.map((version) =>
            html`
              <li class="card">
                <p class="facts small muted"><span>Version ${version.version}</span>
                  <span>${formatTime(version.written_at)}</span>
                  ${version.is_active ? nothing : html`<span class="tag">switched off</span>`}</p>
                <p class="text"><strong>${version.question}</strong></p>
                <div class="markdown">${renderMarkdown(version.answer)}</div>
              </li>
            `
          )}
        </ol>
      </details>
    `;
  }

  #save = async (fields: AnswerFields): Promise<void> => {
    await this.desk.client.updatePinnedAnswer(this.desk.coach.id, this.answerId, fields);
    this.#isEditing.value = false;
    this.say("Saved. The earlier version is listed below.");
    await this.#answer.load();
  };

  async #switch({ is_active }: Answer): Promise<void> {
    const { client, coach } = this.desk;
    const change = { is_active: !is_active };
    if (!await this.#action.run(() => client.updatePinnedAnswer(coach.id, this.answerId, change))) return;
    this.say(is_active ? "Switched off. Nobody gets this answer now." : "Switched on.");
    await this.#answer.load();
  }

  #delete = async (): Promise<void> => {
    const { client, coach } = this.desk;
    if (!await this.#action.run(() => client.deletePinnedAnswer(coach.id, this.answerId))) return;
    drafts.drop(this.#draft);
    this.say("Deleted.");
    location.hash = linkTo("answers");
  };
}

/** Describes the use of an answer. */
export function describeUse(
  { hits, near_hits, last_hit_at }: Pick<Schemas["PinnedAnswer"], "hits" | "near_hits" | "last_hit_at">,
): string {
  if (hits + near_hits === 0) return "not given yet";
  const last = last_hit_at === null ? "" : `, last ${formatMoment(last_hit_at)}`;
  return [
    hits > 0 && `given ${times(hits)} word for word${last}`,
    near_hits > 0 && `${times(near_hits)} shown to the model`,
  ].filter(Boolean).join(" · ");
}

export interface AnswerDetail extends Fields<typeof AnswerDetail.properties> {}

customElements.define("human-desk-answer-detail", AnswerDetail);
