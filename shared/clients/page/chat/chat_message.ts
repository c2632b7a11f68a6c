import { html, LitElement, nothing, type TemplateResult } from "lit";
import { Countdown } from "../ui/countdown.ts";
import { modalStyles } from "../ui/dialog.ts";
import { icons } from "../ui/icons.ts";
import { renderMarkdown } from "../ui/markdown.ts";
import { theme } from "../ui/theme.ts";
import type { Coach } from "./chat.ts";
import type { Conversation } from "./conversation.ts";
import { messageStyles } from "./chat_message_styles.ts";
import { commentForm, questionForm } from "./message_forms.ts";
import type { ShownMessage } from "./messages.ts";
import { pieceStyles } from "./pieces.ts";
import { sourceChips, sourceStyles, sourceWindow } from "./source_chips.ts";
import { fill, type Texts } from "./texts.ts";
import { describeTrouble } from "./trouble.ts";

/** A question or an answer, and what can be done with it. */
export class ChatMessage extends LitElement {
  static override styles = [theme, pieceStyles, modalStyles, sourceStyles, messageStyles];

  static override properties = {
    message: {},
    conversation: {},
    coach: {},
    texts: {},
    isLast: {},
    isBusy: {},
    openSource: { state: true },
    isEditing: { state: true },
    isCommenting: { state: true },
    isCopied: { state: true },
  };

  declare message: ShownMessage;
  declare conversation: Conversation;
  declare coach: Coach;
  declare texts: Texts;
  /** Whether nothing comes after it: such an answer can be written anew. */
  declare isLast: boolean;
  /** Whether something is under way that nothing else may be begun beside. */
  declare isBusy: boolean;

  declare private openSource: number | null;
  declare private isEditing: boolean;
  declare private isCommenting: boolean;
  declare private isCopied: boolean;
  #countdown = new Countdown(this);

  constructor() {
    super();
    this.openSource = null;
    this.isEditing = false;
    this.isCommenting = false;
    this.isCopied = false;
  }

  override render() {
    return this.message.author === "user" ? this.#renderQuestion() : this.#renderAnswer();
  }

  #renderQuestion() {
    const { message: { content, status, id }, texts } = this;
    if (this.isEditing) {
      return questionForm(content, { texts, onDone: (text) => this.#ask(text), onCancel: () => this.#keep() });
    }
    return html`
      <article class="question" aria-label=${texts.you}>
        <div class="bubble ${status}" part="question" dir="auto">${content}</div>
        ${status === "sending" ? html`<p class="note">${texts.sending}</p>` : nothing}
        ${status === "unsent" ? this.#renderUnsent() : nothing}
        <div class="actions ${id === null ? "later" : ""}">
          ${this.#renderCopy()}
          ${this.#renderAction(texts.edit, icons.pencil, this.#edit, { isDisabled: this.isBusy })}
        </div>
      </article>
    `;
  }

  #renderUnsent() {
    const { message: { trouble }, texts } = this;
    const left = trouble?.kind === "limited" ? this.#countdown.secondsTo(trouble.until) : 0;
    return html`
      <p class="note error" role="alert">${texts.notSent} ${trouble
        ? describeTrouble(trouble, texts, left)
        : nothing}</p>
      <div class="buttons">
        <button ?disabled=${left > 0} @click=${() => this.conversation.sendAgain()}>${texts.sendAgain}</button>
        <button class="plain" @click=${() => this.#tell("take-back")}>${texts.editBack}</button>
      </div>
    `;
  }

  #renderAnswer() {
    const { message: { content, status, author, sources }, coach: { name }, texts } = this;
    const isOver = status !== "streaming" && status !== "waiting";
    const source = this.openSource === null ? undefined : sources[this.openSource - 1];
    return html`
      <article class="answer ${author ?? ""} ${status}" part=${author === "expert" ? "answer person" : "answer"}
        aria-label=${this.#labelOfAnswer} aria-busy=${status === "streaming"}>
        ${this.#renderAuthor()}
        ${status === "waiting"
          ? html`<p class="waiting" dir="auto">${icons.waiting} ${content || fill(texts.expertWaiting, { name })}</p>`
          : html`<div class="text" dir="auto">${renderMarkdown(content)}</div>`}
        ${status === "streaming" ? html`<div class="dots" aria-hidden="true"><i></i><i></i><i></i></div>` : nothing}
        ${this.message.isBroken ? html`<p class="note">${texts.connectionBroke}</p>` : nothing}
        ${status === "stopped" ? html`<p class="note">${texts.answerStopped}</p>` : nothing}
        ${status === "failed" ? html`<p class="note error">${texts.answerFailed}</p>` : nothing}
        ${sourceChips(sources, { name, texts, onOpen: (number) => this.openSource = number })}
        ${isOver ? this.#renderAnswerActions() : nothing}
        ${this.isCommenting
          ? commentForm(name, { texts, onDone: (text) => this.#comment(text), onCancel: () => this.#keep() })
          : nothing}
      </article>
      ${source
        ? sourceWindow(source, { number: this.openSource!, name, texts, onClose: () => this.openSource = null })
        : nothing}
    `;
  }

  #renderAuthor() {
    const { message: { author, status }, coach: { name }, texts } = this;
    if (status === "waiting") return nothing;
    return html`
      <div class="author">
        <span class="face" aria-hidden="true">${author ? pictures[author] : icons.more}</span>
        <bdi class="name">${name}</bdi>
        ${author === "expert" ? html`<span class="badge person">${texts.expert}</span>` : nothing}
        ${author === "ai" ? html`<span class="badge">${texts.ai}</span>` : nothing}
      </div>
    `;
  }

  #renderAnswerActions() {
    const { message: { author, status, content, feedback }, texts } = this;
    const mayRetry = this.isLast && author === "ai" && this.conversation.handledBy === "ai";
    const rating = feedback?.rating;
    return html`
      <div class="actions">
        ${content ? this.#renderCopy() : nothing}
        ${this.#renderAction(texts.good, icons.thumbUp, () => this.#rate("up"), { isPressed: rating === "up" })}
        ${this.#renderAction(texts.poor, icons.thumbDown, () => this.#rate("down"), { isPressed: rating === "down" })}
        ${mayRetry && status !== "failed"
          ? this.#renderAction(texts.retry, icons.retry, this.#retry, { isDisabled: this.isBusy })
          : nothing}
        ${mayRetry && status === "failed"
          ? html`<button ?disabled=${this.isBusy} @click=${this.#retry}>${icons.retry} ${texts.retry}</button>`
          : nothing}
      </div>
    `;
  }

  #renderCopy() {
    const { isCopied, texts } = this;
    return this.#renderAction(isCopied ? texts.copied : texts.copy, isCopied ? icons.check : icons.copy, this.#copy);
  }

  #renderAction(
    label: string,
    icon: TemplateResult,
    act: () => void,
    { isPressed, isDisabled = false }: { isPressed?: boolean; isDisabled?: boolean } = {},
  ) {
    return html`
      <button class="plain icon" aria-label=${label} title=${label} aria-pressed=${isPressed ?? nothing}
        ?disabled=${isDisabled} @click=${act}>${icon}</button>
    `;
  }

  get #labelOfAnswer() {
    const { message: { author }, coach: { name }, texts } = this;
    if (author === null) return fill(texts.answering, { name });
    return `${name}, ${author === "expert" ? texts.expert : texts.ai}`;
  }

  async #copy() {
    try {
      await navigator.clipboard.writeText(this.message.content);
    } catch {
      // Not allowed here: the text can be selected all the same.
      return;
    }
    this.isCopied = true;
    setTimeout(() => this.isCopied = false, 2_000);
  }

  async #rate(rating: "up" | "down") {
    const { id, feedback } = this.message;
    const next = feedback?.rating === rating ? null : rating;
    this.isCommenting = false;
    if (await this.conversation.rate(id!, next) && next === "down") {
      this.isCommenting = true;
      await this.#focusOn("#field");
    }
  }

  async #comment(comment: string) {
    if (!comment.trim() || await this.conversation.rate(this.message.id!, "down", comment.trim())) await this.#keep();
  }

  #retry() {
    void this.conversation.retry(this.message.id!);
    this.#tell("asked");
  }

  async #edit() {
    this.isEditing = true;
    await this.#focusOn("#field");
  }

  #ask(text: string) {
    // Somebody may have asked below meanwhile: what was edited stays in its field, and what was not sent where it is.
    if (!text.trim() || this.isBusy || this.conversation.unsent) return;
    this.isEditing = false;
    void this.conversation.say(text, this.message.id!);
    this.#tell("asked");
  }

  /** Leaves the editor, or the comment, as it was. */
  async #keep() {
    this.isEditing = this.isCommenting = false;
    await this.#focusOn(".actions button:last-of-type");
  }

  async #focusOn(selector: string) {
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(selector)?.focus();
  }

  /** For the list around it. */
  #tell(name: string) {
    this.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true }));
  }
}

/** Who speaks, where it is known. */
const pictures = { user: icons.person, expert: icons.person, ai: icons.sparkle };

customElements.define("human-chat-message", ChatMessage);
