import { html, nothing, type TemplateResult } from "lit";
import { elementWith, type Property, state, styleSheets, tell } from "../ui/element.ts";
import { countdown } from "../ui/countdown.ts";
import { icons } from "../ui/icons.ts";
import { type Extras, renderMarkdown, textStyles } from "../ui/markdown.ts";
import { citation } from "../reader/citation.ts";
import citationStyles from "../reader/citation.css" with { type: "text" };
import { openSource } from "../reader/reading.ts";
import type { Chat, Coach } from "./chat.ts";
import type { Conversation } from "./conversation.ts";
import styles from "./chat_message.css" with { type: "text" };
import { commentForm, questionForm } from "./message_forms.ts";
import type { ShownMessage } from "./messages.ts";
import { face, pieceStyles } from "./pieces.ts";
import { sourceChips } from "./source_chips.ts";
import sourceStyles from "./source_chips.css" with { type: "text" };
import { fill } from "../ui/fill.ts";
import { describeAuthor, type Texts } from "./texts.ts";
import { describeTrouble } from "./trouble.ts";

type Form = "edit" | "comment";

/**
 * A question or an answer, with its actions.
 *
 * @fires asked - Another answer was asked for.
 * @fires take-back - A question that has not arrived is to be edited.
 */
export class ChatMessage extends elementWith({
  message: {} as Property<ShownMessage>,
  /** The question that a message of the expert answers, and the answer that it corrects; empty for none. */
  quoted: {} as Property<string>,
  corrected: {} as Property<string>,
  chat: {} as Property<Chat>,
  conversation: {} as Property<Conversation>,
  coach: {} as Property<Coach>,
  texts: {} as Property<Texts>,
  /** True for the newest message. Only the newest answer can be written again. */
  isLast: {} as Property<boolean>,
  /** True while an answer is written or a question has not arrived, so that no earlier one can be changed. */
  isBusy: {} as Property<boolean>,
}) {
  static override styles = styleSheets(pieceStyles, sourceStyles, textStyles, citationStyles, styles);

  #form = state<Form | null>(this, null);
  #areAllSourcesShown = state(this, false);
  #isCopied = state(this, false, 2_000);
  #secondsTo = countdown(this);

  override render() {
    return this.message.author === "user" ? this.#renderQuestion() : this.#renderAnswer();
  }

  #renderQuestion() {
    const { message: { content, status, id }, texts } = this;
    if (this.#form.value === "edit") {
      return questionForm(content, { texts, onDone: (text) => this.#ask(text), onCancel: () => this.#closeForm() });
    }
    return html`
      <article class="question" aria-label=${texts.you}>
        <div class="bubble text ${status}" part="question" dir="auto">${renderMarkdown(content, {
          besideCode: (code) => copyButton(code, texts),
        })}</div>
        ${status === "sending" ? html`<p class="note">${texts.sending}</p>` : nothing}
        ${status === "unsent" || status === "queued" ? this.#renderUnsent() : nothing}
        <div class="actions ${id === null ? "later" : ""}">
          ${this.#renderCopy()}
          ${this.#renderAction(texts.edit, icons.pencil, this.#edit, { isDisabled: this.isBusy })}
        </div>
      </article>
    `;
  }

  #renderUnsent() {
    const { message: { key, status, trouble }, texts } = this;
    const isQueued = status === "queued";
    const reason = trouble ? describeTrouble(trouble, texts, this.#secondsTo) : "";
    return html`
      <p class="note ${isQueued ? "" : "error"}" role=${isQueued ? "status" : "alert"}>${isQueued
        ? texts.queued
        : texts.notSent} ${reason}</p>
      <div class="buttons">
        ${isQueued ? nothing : html`<button @click=${() => this.conversation.sendAgain()}>${texts.sendAgain}</button>`}
        ${trouble?.kind === "usedUp" ? this.#renderAskInPerson({ question: this.message.content }) : nothing}
        <button class="plain" @click=${() => tell(this, "take-back", key)}>${texts.editBack}</button>
      </div>
    `;
  }

  #renderAnswer() {
    const { message: { content, status, author, sources, request = null }, coach: { name }, texts } = this;
    const isOver = status !== "streaming" && status !== "waiting";
    const isOpen = request?.status === "waiting" || request?.status === "seen";
    const card = isOpen
      ? html`
        <human-chat-request .chat=${this.chat} .conversation=${this.conversation} .request=${request}
          .texts=${texts}></human-chat-request>
      `
      : nothing;
    if (isOpen && status === "waiting") return html`<article class="answer waiting">${card}</article>`;
    if (request?.status === "withdrawn" && status === "stopped" && !content) {
      return html`
        <article class="answer stopped"><p class="note">${texts.takenBack}</p>${this.#renderMayAsk()}</article>
      `;
    }
    return html`
      <article class="answer ${author ?? ""} ${status}" part=${author === "expert" ? "answer person" : "answer"}
        aria-label=${this.#labelOfAnswer} aria-busy=${status === "streaming"}>
        ${this.#renderAuthor()}
        ${this.#renderQuote()}
        ${status === "waiting"
          ? html`<p class="waiting" dir="auto">${icons.waiting} ${content || fill(texts.expertWaiting, { name })}</p>`
          : html`<div class="text" dir="auto">${renderMarkdown(content, this.#extras)}</div>`}
        ${status === "streaming" ? html`<div class="dots" aria-hidden="true"><i></i><i></i><i></i></div>` : nothing}
        ${this.message.isBroken ? html`<p class="note">${texts.connectionBroke}</p>` : nothing}
        ${status === "stopped" ? html`<p class="note">${texts.answerStopped}</p>` : nothing}
        ${status === "failed" ? html`<p class="note error">${texts.answerFailed}</p>` : nothing}
        ${sourceChips(sources, {
          name,
          texts,
          areAllShown: this.#areAllSourcesShown.value,
          onOpen: (place) => this.#open(place),
          onShowAll: () => this.#areAllSourcesShown.value = true,
        })}
        ${isOver ? this.#renderAnswerActions() : nothing}
        ${isOver && !isOpen ? this.#renderMayAsk() : nothing}
        ${card}
        ${this.#form.value === "comment"
          ? commentForm(name, { texts, onDone: (text) => this.#comment(text), onCancel: () => this.#closeForm() })
          : nothing}
      </article>
    `;
  }

  #renderQuote() {
    const { quoted, corrected, texts } = this;
    const quote = (label: string, text: string) =>
      html`<blockquote class="quote"><span>${label}</span> <span dir="auto">${text}</span></blockquote>`;
    return html`
      ${quoted ? quote(texts.youAsked, quoted) : nothing}${corrected ? quote(texts.corrects, corrected) : nothing}
    `;
  }

  /** Offers to ask in person where the answer was of no help. */
  #renderMayAsk() {
    const { message: { id, author, isPassedOn, feedback, request, status } } = this;
    const isOfNoHelp = isPassedOn || feedback?.rating === "down" || request?.status === "withdrawn" ||
      status === "failed";
    if (author !== "ai" || id === null || !isOfNoHelp || request?.status === "answered") return nothing;
    return html`<div class="buttons">${this.#renderAskInPerson({ message_id: id })}</div>`;
  }

  #renderAskInPerson(call: { message_id: string } | { question: string }) {
    const { coach: { name }, texts } = this;
    const ask = async () => {
      const { key } = this.message;
      if (await this.conversation.askInPerson(call) && "question" in call) this.conversation.takeBack(key);
    };
    return html`<button class="in-person" @click=${ask}>${icons.person} ${fill(texts.askInPerson, { name })}</button>`;
  }

  get #extras(): Extras {
    const { message: { status, sources }, texts } = this;
    return {
      besideCode: (code) => copyButton(code, texts),
      citation: (number) => {
        // The sources come at the end of the text.
        if (status === "streaming") return html`<span class="citation">${number}</span>`;
        if (sources[number - 1]?.number !== number) return null;
        return citation(number, { label: fill(texts.source, { number }), onOpen: () => this.#open(number - 1) });
      },
      version: status === "streaming" ? -1 : sources.length,
    };
  }

  #renderAuthor() {
    const { message: { author, status, expert }, coach, texts } = this;
    if (status === "waiting") return nothing;
    const { name } = coach;
    return html`
      <div class="author">
        ${author === "expert"
          ? face(expert ?? coach)
          : html`<span class="face" aria-hidden="true">${author ? pictures[author] : icons.more}</span>`}
        <bdi class="name">${author === "expert" && expert ? expert.name : name}</bdi>
        ${author
          ? html`<span class="badge ${author === "ai" ? "" : "person"}">${describeAuthor(author, name, texts)}</span>`
          : nothing}
      </div>
    `;
  }

  #renderAnswerActions() {
    const { message: { author, status, content, feedback }, texts } = this;
    const mayRetry = this.isLast && author === "ai" && this.conversation.handledBy === "ai";
    const rating = feedback?.rating;
    return html`
      <div class="actions">
        ${content
          ? html`
            ${this.#renderCopy()}
            ${this.#renderAction(texts.good, icons.thumbUp, () => this.#rate("up"), { isPressed: rating === "up" })}
            ${this.#renderAction(texts.poor, icons.thumbDown, () => this.#rate("down"), {
              isPressed: rating === "down",
            })}
          `
          : nothing}
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
    const { texts } = this;
    const isCopied = this.#isCopied.value;
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
    return `${name}, ${describeAuthor(author, name, texts)}`;
  }

  #open(place: number) {
    const { message: { sources }, coach: { id: coachId, sources_are_open: isReadable } } = this;
    openSource(this, { coachId, sources, place, isReadable });
  }

  async #copy() {
    try {
      await navigator.clipboard.writeText(this.message.content);
    } catch {
      // The browser does not allow it. The text can still be selected.
      return;
    }
    this.#isCopied.value = true;
  }

  async #rate(rating: "up" | "down") {
    const { id, feedback } = this.message;
    const next = feedback?.rating === rating ? null : rating;
    this.#form.value = null;
    if (await this.conversation.rate(id!, next) && next === "down") {
      this.#form.value = "comment";
      await this.#focusOn("#field");
    }
  }

  async #comment(comment: string) {
    const isSent = !comment.trim() || await this.conversation.rate(this.message.id!, "down", comment.trim());
    if (isSent) await this.#closeForm();
  }

  #retry() {
    void this.conversation.retry(this.message.id!);
    tell(this, "asked");
  }

  async #edit() {
    this.#form.value = "edit";
    await this.#focusOn("#field");
  }

  #ask(text: string) {
    // Another question may have been asked below in the meantime. The edited text then stays in its field.
    if (!text.trim() || this.conversation.isBusy) return;
    this.#form.value = null;
    this.conversation.say(text, this.message.id!);
    tell(this, "asked");
  }

  async #closeForm() {
    this.#form.value = null;
    await this.#focusOn(".actions button:last-of-type");
  }

  async #focusOn(selector: string) {
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(selector)?.focus();
  }
}

/** A button that copies a block of code. It shows for a moment that it has. */
function copyButton(code: string, texts: Texts): TemplateResult {
  const copy = async ({ currentTarget }: Event) => {
    const button = currentTarget as HTMLButtonElement;
    await navigator.clipboard.writeText(code);
    const show = (isCopied: boolean) => {
      button.classList.toggle("done", isCopied);
      button.title = button.ariaLabel = isCopied ? texts.copied : texts.copyCode;
    };
    show(true);
    setTimeout(show, 2_000, false);
  };
  return html`
    <button class="plain icon copy" aria-label=${texts.copyCode} title=${texts.copyCode} @click=${copy}>${icons
      .copy}</button>
  `;
}

const pictures = { user: icons.person, expert: icons.person, pinned: icons.pin, ai: icons.sparkle };

customElements.define("human-chat-message", ChatMessage);
