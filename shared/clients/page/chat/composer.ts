import { html, nothing } from "lit";
import { elementWith, observe, type Property, state, styleSheets, tell } from "../ui/element.ts";
import { icons } from "../ui/icons.ts";
import type { Chat } from "./chat.ts";
import { pieceStyles } from "./pieces.ts";
import type { Conversation } from "./conversation.ts";
import { fill, fillPlural } from "../ui/fill.ts";
import type { Texts } from "./texts.ts";
import styles from "./composer.css" with { type: "text" };

const longestMessage = 32_000;

/**
 * The field in which a question is written. Its text is kept as a draft of the thread.
 *
 * @fires asked - A question was sent, or waits for its turn.
 */
export class Composer extends elementWith({
  chat: {} as Property<Chat>,
  conversation: {} as Property<Conversation>,
  name: {} as Property<string>,
  texts: {} as Property<Texts>,
  /** A sentence above the field; empty for none. */
  notice: {} as Property<string>,
}) {
  static override styles = styleSheets(pieceStyles, styles);

  #text = state(this, "");
  /** True while the next message goes to the expert in person. */
  #isToPerson = state(this, false);

  get #field(): HTMLTextAreaElement {
    return this.renderRoot.querySelector("textarea")!;
  }

  constructor() {
    super();
    observe(this, () => this.conversation);
  }

  protected override willUpdate(changed: Map<string, unknown>) {
    if (changed.has("conversation")) {
      this.#text.value = this.chat.draft(this.conversation).load() ?? "";
      this.#isToPerson.value = false;
    }
  }

  override render() {
    const { conversation: { isAnswering, handledBy }, name, texts, notice } = this;
    const text = this.#text.value;
    const tooMany = this.#tooMany;
    const isToPerson = this.#isToPerson.value && handledBy === "ai";
    return html`
      ${notice ? html`<p class="hint notice" role="status">${notice}</p>` : nothing}
      <form class=${isToPerson ? "person" : ""} @submit=${this.#submit}>
        <div class="growing">
          <div aria-hidden="true">${text} </div>
          <textarea
            part="composer"
            rows="1"
            dir=${text ? "auto" : nothing}
            enterkeyhint="send"
            aria-label=${fill(texts.messageLabel, { name })}
            placeholder=${fill(isToPerson ? texts.requestTo : texts.messagePlaceholder, { name })}
            .value=${text}
            @input=${this.#onInput}
            @keydown=${this.#onKey}
          ></textarea>
        </div>
        ${isAnswering
          ? html`
            <button class="primary" part="stop" type="button" aria-label=${texts.stop} title=${texts.stop}
              @click=${this.#stop}>${icons.stop}</button>
          `
          : nothing}
        ${isAnswering && !this.#canSend ? nothing : html`
          <button class="primary" part="send" aria-label=${texts.send} title=${texts.send}
            ?disabled=${!this.#canSend}>${icons.send}</button>
        `}
      </form>
      ${tooMany > 0
        ? html`<p class="hint error" role="alert">${
          fillPlural(texts.messageTooLong, { count: tooMany, locale: texts.locale })
        }</p>`
        : html`
          <p class="hint ways">
            <span>${fill(isToPerson ? texts.personHint : handledBy === "ai" ? texts.aiHint : texts.expertHint, {
              name,
            })}</span>
            ${handledBy === "ai"
              ? html`
                <button class="plain to-person" type="button" aria-pressed=${isToPerson}
                  @click=${this
                    .#turnToPerson}>${icons.person} ${fill(texts.askInPerson, { name })}</button>
              `
              : nothing}
          </p>
        `}
    `;
  }

  /** Inserts a text above the one that is there. */
  put(text: string) {
    const before = this.#text.value;
    this.#write(before.trim() ? `${text}\n${before}` : text);
    this.focusField();
  }

  focusField() {
    this.#field?.focus();
  }

  get #canSend() {
    return this.#text.value.trim() !== "" && this.#tooMany <= 0;
  }

  /** The number of characters above the limit. Counting them is slow, so the length of the text is checked first. */
  get #tooMany() {
    const text = this.#text.value;
    return text.length <= longestMessage ? 0 : [...text].length - longestMessage;
  }

  #write(text: string) {
    this.#text.value = text;
    this.chat.draft(this.conversation).save(text || null);
  }

  #onInput() {
    this.#write(this.#field.value);
  }

  #onKey(event: KeyboardEvent) {
    // While an input method composes a character, Enter and Escape belong to it.
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      this.#submit();
    }
    if (event.key === "Escape" && this.conversation.isAnswering) {
      event.stopPropagation();
      this.#stop();
    }
  }

  #turnToPerson() {
    this.#isToPerson.value = !this.#isToPerson.value;
    this.focusField();
  }

  /** Asks the expert. If that fails, the text is there again. */
  async #askInPerson(question: string) {
    const { conversation } = this;
    this.#write("");
    if (await conversation.askInPerson({ question })) {
      this.#isToPerson.value = false;
      tell(this, "asked");
    } else if (conversation === this.conversation) this.put(question);
  }

  #submit(event?: Event) {
    event?.preventDefault();
    if (!this.#canSend) return;
    const text = this.#text.value;
    if (this.#isToPerson.value && this.conversation.handledBy === "ai") return void this.#askInPerson(text);
    // The draft is cleared first: sending a first question changes the thread that the draft belongs to.
    this.#write("");
    this.conversation.say(text);
    tell(this, "asked");
  }

  #stop() {
    void this.conversation.stop();
    this.focusField();
  }
}

customElements.define("human-chat-composer", Composer);
