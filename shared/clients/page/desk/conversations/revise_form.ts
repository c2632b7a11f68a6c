import { html, nothing } from "lit";
import { type Property, state, styleSheets } from "../../ui/element.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { isPassage, showPlace } from "../parts/sources.ts";
import { showError } from "../parts/show_state.ts";
import { RepeatKey } from "../state/work.ts";
import { drafts } from "../state/drafts.ts";
import { fill, t } from "../texts.ts";
import { compareWords, showStretch } from "../parts/show_words.ts";
import styles from "./revise_form.css" with { type: "text" };

/**
 * The form that corrects an answer: before and after, the question it answers, and misleading passages.
 *
 * @fires done - The answer was corrected.
 */
export class ReviseForm extends DeskPart.with({
  message: {} as Property<Schemas["Message"]>,
  /** The question before the message. */
  asked: {} as Property<string>,
  /** Closes the form without a correction. */
  close: {} as Property<() => void>,
}) {
  static override styles = styleSheets(styles);

  #text = state(this, "");
  #key = new RepeatKey();

  get #draft(): string {
    return `revision ${this.message.id}`;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#text.value = drafts.read(this.#draft).answer ?? this.message.content;
  }
  override firstUpdated(): void {
    this.#field("answer").focus();
  }

  override render() {
    const { message } = this;
    const text = this.#text.value;
    const { isBusy, error } = this.action;
    const parts = compareWords(message.content, text);
    const passages = (message.sources ?? []).filter(isPassage);
    return html`
      <form class="stack" @submit=${this.#submit} @input=${this.#keep}>
        <div class="both">
          <div class="stack tight" role="group" aria-label=${t.conversations.before}>
            <span class="small"><strong>${t.conversations.before}</strong></span>
            <div class="before raised pre">${parts.filter(({ is }) => is !== "added").map(showStretch)}</div>
          </div>
          <label class="field">${t.conversations.after}
            <textarea name="answer" class="tall" required .defaultValue=${text}></textarea>
          </label>
        </div>
        ${text === message.content ? nothing : html`
          <details open>
            <summary class="small">${t.conversations.changes}</summary>
            <div class="raised pre">${parts.filter(({ is }) => is !== "removed").map(showStretch)}</div>
          </details>
        `}
        <label class="field">
          <span>${t.conversations.question} <span class="hint">${t.conversations.questionHint}</span></span>
          <textarea name="question" rows="1" .defaultValue=${drafts.read(this.#draft).question ?? ""}></textarea>
        </label>
        ${this.asked
          ? html`
            <p class="row small muted"><span class="text">${fill(t.conversations.asked, {
              question: this.asked,
            })}</span>
              <button class="quiet" type="button" @click=${this.#useTheirWords}>
                ${t.conversations.useWording}
              </button></p>
          `
          : nothing}
        ${passages.length === 0 || !this.mayEdit ? nothing : html`
          <fieldset>
            <legend>${t.conversations.barTitle} <span class="hint">${t.conversations.barHint}</span></legend>
            ${passages.map(({ passageId, filename, page, quote }) =>
              html`
                <label class="check small"><input type="checkbox" name="bar" value=${passageId}>
                  <span class="text"><strong>${showPlace(html`<bdi>${filename}</bdi>`, page)}</strong> <bdi>${shorten(
                    quote,
                  )}</bdi></span>
                </label>
              `
            )}
          </fieldset>
        `}
        <label class="check"><input type="checkbox" name="notify" checked>
          <span>${t.conversations.tell} <span class="hint">${t.conversations.tellHint}</span></span></label>
        ${showError(error)}
        <div class="row">
          <button class="primary" ?disabled=${isBusy}>${isBusy ? t.parts.saving : t.conversations.correct}</button>
          <button type="button" @click=${this.#cancel}>${t.shared.cancel}</button>
        </div>
      </form>
    `;
  }

  #field(name: string): HTMLTextAreaElement {
    return this.renderRoot.querySelector<HTMLTextAreaElement>(`[name=${name}]`)!;
  }

  #keep = (): void => {
    const answer = this.#text.value = this.#field("answer").value;
    drafts.keep(this.#draft, { answer, question: this.#field("question").value });
  };

  #useTheirWords = (): void => {
    const field = this.#field("question");
    field.value = this.asked;
    field.focus();
    this.#keep();
  };

  #submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const { id, thread_id } = this.message;
    const fields = new FormData(event.target as HTMLFormElement);
    const question = String(fields.get("question")).trim();
    const body = {
      answer: String(fields.get("answer")).trim(),
      // By default, it is the open question to which the answer has led.
      question: question || null,
      notify: fields.has("notify"),
      bar_passages: fields.getAll("bar").map(String),
    };
    const isDone = await this.run(() =>
      this.client.reviseAnswer(thread_id, id, body, { idempotencyKey: this.#key.of(body) })
    );
    if (!isDone) return;
    drafts.drop(this.#draft);
    this.done(body.notify ? t.conversations.corrected : t.conversations.correctedSilently);
  };

  #cancel = (): void => {
    drafts.drop(this.#draft);
    this.close();
  };
}

function shorten(text: string): string {
  return text.length > 160 ? `${text.slice(0, 159)}…` : text;
}

customElements.define("human-desk-revise", ReviseForm);
