import { html, nothing } from "lit";
import { type Fields, type Property, state } from "../../ui/element.ts";
import type { Notice, Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { count, formatMoment, formatTime, times } from "../format.ts";
import { type AnswerFields } from "../parts/answer_form.ts";
import "../parts/answer_form.ts";
import { showError } from "../parts/show_error.ts";
import { linkTo } from "../route.ts";
import { Action } from "../state/work.ts";
import { drafts } from "../state/drafts.ts";
import { fieldsOfPinned } from "../tests/fields_of.ts";
import "../tests/save_as_test.ts";

type Question = Schemas["ListedQuestion"];

const namesOfReasons: Record<Question["reasons"][number], string> = {
  unknown: "not known",
  feedback: "thumbs-down",
  human: "asked for a human",
};

/**
 * An open question, with its actions.
 *
 * @fires done - The question was answered, dismissed or reopened. The detail is a notice about it.
 */
export class QuestionCard extends DeskPart {
  static override properties = { question: {} as Property<Question> };

  #isAnswering = state(this, false);
  /** True if those who have asked are told the answer. */
  #tells = state(this, true);
  /** The merged askings that are told it, too. */
  #ticked = state<ReadonlySet<string>>(this, new Set());
  #action = this.use(new Action());

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
      html`<span class="muted">Not summarized yet</span>`;
    return html`
      <article class="card split" aria-label=${question.question ?? "A question that is not summarized yet"}>
        <div class="stack tight">
          <h3 class="text">${title}</h3>
          ${this.#renderFacts()}
        </div>
        ${this.#isAnswering.value ? this.#renderForm() : this.#renderButtons()}
        ${showError(this.#action.error)}
      </article>
    `;
  }

  #renderFacts() {
    const { people, first_asked_at, last_asked_at, reasons, thread_id, pinned_answer_id } = this.question;
    const howOften = times(this.question.times);
    const [first, last] = [formatMoment(first_asked_at), formatMoment(last_asked_at)];
    return html`
      <p class="facts small muted">
        <span>asked ${howOften} by ${count(people, "person", "people")}</span>
        <span title=${formatTime(first_asked_at)}>since ${first}</span>
        ${last === first ? nothing : html`<span title=${formatTime(last_asked_at)}>last ${last}</span>`}
        ${reasons.map((reason) => html`<span class="tag">${namesOfReasons[reason]}</span>`)}
        ${thread_id === null ? nothing : html`<a href=${linkTo("conversations", thread_id)}>See where it was asked</a>`}
        ${pinned_answer_id === null ? nothing : html`<a href=${linkTo("answers", pinned_answer_id)}>Your answer</a>`}
      </p>
    `;
  }

  #renderForm() {
    return html`
      <human-desk-answer-form class="wide" .desk=${this.desk} .question=${this.question.question ?? ""}
        .draft=${this.#draft} submit="Answer" .save=${this.#answer} .cancel=${this
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
      return html`<p class="hint">Nobody is told: the chats in which it was asked are archived.</p>`;
    }
    return html`
      <div class="stack tight">
        <label class="check"><input type="checkbox" .checked=${tells} @change=${this.#tell}>
          <span>Tell those who have asked <span class="hint">${chats === 0
            ? "None is chosen."
            : `The answer appears in ${count(chats, "chat")}, as a message from you.`}</span></span></label>
        ${tells && merged.length > 0 ? this.#renderMerged() : nothing}
      </div>
    `;
  }

  #renderMerged() {
    return html`
      <div class="stack tight" role="group" aria-labelledby="merged">
        <p id="merged" class="small">Who else should get it?
          <span class="hint">They asked in other words. An AI thinks that it is the same question.</span></p>
        ${this.#merged.map(({ id, thread_id, words, asked_at }) =>
          html`
            <label class="check small"><input type="checkbox" value=${id} .checked=${this.#ticked.value.has(id)}
                @change=${this.#tick}>
              <span class="text">${words ?? `Asked ${formatMoment(asked_at)}`}
                <a href=${linkTo("conversations", thread_id)}>See the chat</a></span>
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
    const { isBusy } = this.#action;
    if (this.question.status !== "open") {
      const { id, pinned_answer_id } = this.question;
      return html`
        <div class="row">
          <button ?disabled=${isBusy} @click=${this.#reopen}>Reopen</button>
          ${pinned_answer_id === null ? nothing : html`
            <human-desk-save-as-test .desk=${this.desk} .of=${id} .read=${() => this.#readAnswer(pinned_answer_id)}
            ></human-desk-save-as-test>
          `}
        </div>
      `;
    }
    return html`
      <div class="row">
        <button class="primary" @click=${() => this.#isAnswering.value = true}>Answer</button>
        <button ?disabled=${isBusy} @click=${this.#dismiss}>Dismiss</button>
        ${this.question.people === 1 && this.question.thread_id !== null
          ? html`<button class="quiet" ?disabled=${isBusy} @click=${this.#dismissAll}>Dismiss all from this person</button>`
          : nothing}
      </div>
    `;
  }

  #readAnswer = async (answerId: string) => {
    const { client, coach } = this.desk;
    return fieldsOfPinned(await client.getPinnedAnswer(coach.id, answerId));
  };

  #stopAnswering = async (): Promise<void> => {
    this.#isAnswering.value = false;
    await this.updateComplete;
    this.renderRoot.querySelector("button")?.focus();
  };

  #answer = async ({ question, variants, answer }: AnswerFields): Promise<void> => {
    const { client, coach } = this.desk;
    const notify = this.#tells.value && { askings: this.#tickedIds };
    const { notified } = await client.answerQuestion(coach.id, this.question.id, {
      question,
      variants,
      answer,
      notify,
    });
    this.#isAnswering.value = false;
    const where = notify && notified > 0 ? `It is in ${count(notified, "chat")}, and a` : "A";
    this.#say(`Answered. ${where}nyone who asks this now gets your answer.`);
  };
  #dismiss = async (): Promise<void> => {
    const { client, coach } = this.desk;
    if (await this.#action.run(() => client.dismissQuestion(coach.id, this.question.id))) {
      this.#say("Dismissed. You can find it under Dismissed.", () => this.#reopenAll([this.question.id]));
    }
  };
  #dismissAll = async (): Promise<void> => {
    const { client, coach } = this.desk;
    let ids: string[] = [];
    const dismissed = await this.#action.run(async () => {
      const body = { thread_id: this.question.thread_id!, of_person: true };
      ids = (await client.dismissQuestions(coach.id, body)).question_ids;
    });
    if (dismissed) this.#say(`Dismissed ${count(ids.length, "question")} of this person.`, () => this.#reopenAll(ids));
  };
  #reopenAll = async (ids: string[]): Promise<void> => {
    const { client, coach } = this.desk;
    await this.#action.run(async () => {
      for (const id of ids) await client.reopenQuestion(coach.id, id);
    });
  };
  #reopen = async (): Promise<void> => {
    const { client, coach } = this.desk;
    if (await this.#action.run(() => client.reopenQuestion(coach.id, this.question.id))) {
      this.#say("The question is open again.");
    }
  };

  #say(sentence: string, undo?: Notice["undo"]): void {
    this.dispatchEvent(new CustomEvent<Notice>("done", { detail: { sentence, undo } }));
  }
}

export interface QuestionCard extends Fields<typeof QuestionCard.properties> {}

customElements.define("human-desk-question", QuestionCard);
