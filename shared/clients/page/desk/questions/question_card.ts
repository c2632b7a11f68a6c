import { html, nothing } from "lit";
import { type Property, state } from "../../ui/element.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { formatMoment, formatTime } from "../format.ts";
import type { AnswerFields } from "../parts/answer_form.ts";
import "../parts/answer_form.ts";
import { showError } from "../parts/show_state.ts";
import { linkTo } from "../route.ts";
import { drafts } from "../state/drafts.ts";
import { fill, plural, t } from "../texts.ts";
import { fieldsOfPinned } from "../tests/test_fields.ts";
import "../tests/save_as_test.ts";

type Question = Schemas["ListedQuestion"];

const nameOfReason: Record<Question["reasons"][number], () => string> = {
  unknown: () => t.questions.reasonUnknown,
  feedback: () => t.questions.reasonFeedback,
  human: () => t.questions.reasonHuman,
};

/**
 * An open question, with its actions.
 *
 * @fires done - The question was answered, dismissed or reopened.
 */
export class QuestionCard extends DeskPart.with({ question: {} as Property<Question> }) {
  #isAnswering = state(this, false);
  /** True if those who have asked are told the answer. */
  #tells = state(this, true);
  /** The merged askings that are told it, too. */
  #ticked = state<ReadonlySet<string>>(this, new Set());

  override firstUpdated(): void {
    // A draft that was begun before a reload is shown again.
    this.#isAnswering.value = this.question.status === "open" && "answer" in drafts.read(this.#draft);
  }

  get #draft(): string {
    return `question ${this.question.id}`;
  }

  override render() {
    const { question } = this;
    const title = question.question ??
      html`<span class="muted">${t.questions.noSummary}</span>`;
    return html`
      <article class="card split" aria-label=${question.question ?? t.questions.noSummaryLabel}>
        <div class="stack tight">
          <h3 class="text">${title}</h3>
          ${this.#renderFacts()}
        </div>
        ${this.#isAnswering.value ? this.#renderForm() : this.#renderButtons()}
        ${showError(this.action.error)}
      </article>
    `;
  }

  #renderFacts() {
    const { people, first_asked_at, last_asked_at, reasons, thread_id, pinned_answer_id } = this.question;
    const howOften = {
      times: plural(t.questions.times, this.question.times),
      people: plural(t.questions.people, people),
    };
    const [first, last] = [formatMoment(first_asked_at), formatMoment(last_asked_at)];
    return html`
      <p class="facts small muted">
        <span>${fill(t.questions.asked, howOften)}</span>
        <span title=${formatTime(first_asked_at)}>${fill(t.questions.since, { time: first })}</span>
        ${last === first ? nothing : html`
          <span title=${formatTime(last_asked_at)}>${fill(t.questions.last, { time: last })}</span>
        `}
        ${reasons.map((reason) => html`<span class="tag">${nameOfReason[reason]()}</span>`)}
        ${thread_id === null
          ? nothing
          : html`<a href=${linkTo("conversations", thread_id)}>${t.questions.seeWhere}</a>`}
        ${pinned_answer_id === null ? nothing : html`
          <a href=${linkTo("answers", pinned_answer_id)}>${t.parts.yourAnswer}</a>
        `}
      </p>
    `;
  }

  #renderForm() {
    return html`
      <human-desk-answer-form class="wide" .desk=${this.desk} .question=${this.question.question ?? ""}
        .draft=${this.#draft} submit=${t.questions.answer} .save=${this.#answer} .cancel=${this
          .#stopAnswering}>${this.#renderRecipients()}</human-desk-answer-form>
    `;
  }

  get #merged() {
    return this.question.merged_askings ?? [];
  }
  get #tickedIds(): string[] {
    return this.#merged.map(({ id }) => id).filter((id) => this.#ticked.value.has(id));
  }

  /** The choice of those who are told the answer. */
  #renderRecipients() {
    const tells = this.#tells.value;
    const chats = (this.question.chats ?? 0) + this.#tickedIds.length;
    const merged = this.#merged;
    if (chats === 0 && merged.length === 0) {
      return html`<p class="hint">${t.questions.nobodyTold}</p>`;
    }
    return html`
      <div class="stack tight">
        <label class="check"><input type="checkbox" .checked=${tells} @change=${this.#tell}>
          <span>${t.questions.tell} <span class="hint">${chats === 0
            ? t.questions.tellNone
            : plural(t.questions.tellHint, chats)}</span></span></label>
        ${tells && merged.length > 0 ? this.#renderMerged() : nothing}
      </div>
    `;
  }

  #renderMerged() {
    return html`
      <div class="stack tight" role="group" aria-labelledby="merged">
        <p id="merged" class="small">${t.questions.merged} <span class="hint">${t.questions.mergedHint}</span></p>
        ${this.#merged.map(({ id, thread_id, words, asked_at }) =>
          html`
            <label class="check small"><input type="checkbox" value=${id} .checked=${this.#ticked.value.has(id)}
                @change=${this.#tick}>
              <span class="text"><bdi>${words ?? fill(t.questions.askedAt, { time: formatMoment(asked_at) })}</bdi>
                <a href=${linkTo("conversations", thread_id)}>${t.questions.seeChat}</a></span>
            </label>
          `
        )}
      </div>
    `;
  }

  #tell = (event: Event): void => {
    this.#tells.value = (event.target as HTMLInputElement).checked;
  };
  #tick = (event: Event): void => {
    const { value, checked } = event.target as HTMLInputElement;
    const ticked = new Set(this.#ticked.value);
    if (checked) ticked.add(value);
    else ticked.delete(value);
    this.#ticked.value = ticked;
  };

  #renderButtons() {
    const { isBusy } = this.action;
    if (this.question.status !== "open") {
      const { id, pinned_answer_id } = this.question;
      return html`
        <div class="row">
          <button ?disabled=${isBusy} @click=${this.#reopen}>${t.questions.reopen}</button>
          ${pinned_answer_id === null ? nothing : html`
            <human-desk-save-as-test .desk=${this.desk} .of=${id} .read=${() => this.#readAnswer(pinned_answer_id)}
            ></human-desk-save-as-test>
          `}
        </div>
      `;
    }
    return html`
      <div class="row">
        <button class="primary" @click=${() => this.#isAnswering.value = true}>${t.questions.answer}</button>
        <button ?disabled=${isBusy} @click=${this.#dismiss}>${t.questions.dismiss}</button>
        ${this.question.people === 1 && this.question.thread_id !== null
          ? html`<button class="quiet" ?disabled=${isBusy} @click=${this.#dismissAll}>${t.questions.dismissAll}</button>`
          : nothing}
      </div>
    `;
  }

  #readAnswer = async (answerId: string) => {
    return fieldsOfPinned(await this.client.getPinnedAnswer(this.coachId, answerId));
  };

  #stopAnswering = (): Promise<void> => {
    this.#isAnswering.value = false;
    return this.focusOn("button");
  };

  #answer = async ({ question, variants, answer }: AnswerFields): Promise<void> => {
    const notify = this.#tells.value && { askings: this.#tickedIds };
    const { notified, status } = await this.client.answerQuestion(this.coachId, this.question.id, {
      question,
      variants,
      answer,
      notify,
    });
    this.#isAnswering.value = false;
    this.done(
      status === "open"
        ? t.questions.stillWaits
        : notify && notified > 0
        ? plural(t.questions.answeredIn, notified)
        : t.questions.answered,
    );
  };
  #dismiss = async (): Promise<void> => {
    if (await this.run(() => this.client.dismissQuestion(this.coachId, this.question.id))) {
      this.done(t.questions.dismissed, () => this.#reopenAll([this.question.id]));
    }
  };
  #dismissAll = async (): Promise<void> => {
    const body = { thread_id: this.question.thread_id!, of_person: true };
    const dismissed = await this.ask(() => this.client.dismissQuestions(this.coachId, body));
    if (dismissed === null) return;
    const { question_ids: ids } = dismissed.reply;
    this.done(plural(t.questions.dismissedAll, ids.length), () => this.#reopenAll(ids));
  };
  #reopenAll = async (ids: string[]): Promise<void> => {
    await this.run(async () => {
      for (const id of ids) await this.client.reopenQuestion(this.coachId, id);
    });
  };
  #reopen = async (): Promise<void> => {
    if (await this.run(() => this.client.reopenQuestion(this.coachId, this.question.id))) {
      this.done(t.questions.reopened);
    }
  };
}

customElements.define("human-desk-question", QuestionCard);
