import { css, html, LitElement } from "lit";
import { icons } from "../ui/icons.ts";
import { Observer } from "../ui/observable.ts";
import { theme } from "../ui/theme.ts";
import type { Chat } from "./chat.ts";
import { pieceStyles } from "./pieces.ts";
import type { Conversation } from "./conversation.ts";
import { fill, type Texts } from "./texts.ts";

/** The longest message that the service takes, in characters. */
const longestMessage = 32_000;

/** Where a question is written. What is written stays, whatever happens around it. */
export class Composer extends LitElement {
  static override styles = [
    theme,
    pieceStyles,
    css`
      :host {
        display: block;
        padding: 0 1.25rem 0.75rem;
      }
      form,
      .hint {
        max-width: 44.5rem;
        margin-inline: auto;
      }
      form {
        display: flex;
        align-items: flex-end;
        gap: 0.5rem;
        padding: 0.375rem;
        border: 1px solid var(--line);
        border-radius: calc(var(--radius) * 1.75);
        background: var(--surface);
        box-shadow: 0 0.25rem 1.25rem rgb(0 0 0 / 0.06);
      }
      form:focus-within {
        border-color: var(--accent);
      }
      textarea:focus-visible {
        outline: none;
      }
      textarea::placeholder {
        color: var(--muted);
        opacity: 1;
        white-space: nowrap;
      }
      form button {
        width: 2.5rem;
        height: 2.5rem;
        border-radius: 50%;
      }
      form button:disabled {
        background: var(--raised);
        color: var(--muted);
        opacity: 1;
      }
      .hint {
        margin-block: 0.5rem 0;
        color: var(--muted);
        font-size: 0.75rem;
        text-align: center;
      }
      .hint.error {
        color: var(--danger);
        font-size: 0.875rem;
      }
      @media (forced-colors: active) {
        form:focus-within {
          outline: 2px solid Highlight;
        }
      }
    `,
  ];

  static override properties = {
    chat: {},
    conversation: {},
    name: {},
    texts: {},
    text: { state: true },
  };

  declare chat: Chat;
  declare conversation: Conversation;
  declare name: string;
  declare texts: Texts;

  declare private text: string;
  get #field(): HTMLTextAreaElement {
    return this.renderRoot.querySelector("textarea")!;
  }

  constructor() {
    super();
    this.text = "";
    new Observer(this, () => this.conversation);
  }

  protected override willUpdate(changed: Map<string, unknown>) {
    if (changed.has("conversation")) this.text = this.chat.draft(this.conversation).load() ?? "";
  }

  override render() {
    const { conversation: { isAnswering, handledBy }, name, texts } = this;
    const tooMany = this.#tooMany;
    return html`
      <form @submit=${this.#submit}>
        <div class="growing">
          <div aria-hidden="true">${this.text} </div>
          <textarea
            part="composer"
            rows="1"
            dir="auto"
            enterkeyhint="send"
            aria-label=${fill(texts.messageLabel, { name })}
            placeholder=${fill(texts.messagePlaceholder, { name })}
            .value=${this.text}
            @input=${this.#onInput}
            @keydown=${this.#onKey}
          ></textarea>
        </div>
        ${isAnswering
          ? html`
            <button class="primary" part="stop" type="button" aria-label=${texts.stop} title=${texts.stop}
              @click=${this.#stop}>${icons.stop}</button>
          `
          : html`
            <button class="primary" part="send" aria-label=${texts.send} title=${texts.send}
              ?disabled=${!this.#canSend}>${icons.send}</button>
          `}
      </form>
      ${tooMany > 0
        ? html`<p class="hint error" role="alert">${fill(texts.messageTooLong, { count: tooMany })}</p>`
        : html`<p class="hint">${fill(handledBy === "ai" ? texts.aiHint : texts.expertHint, { name })}</p>`}
    `;
  }

  /** Puts a text in, below what is there. */
  put(text: string) {
    this.#write(this.text.trim() ? `${text}\n${this.text}` : text);
    this.focusField();
  }

  focusField() {
    this.#field?.focus();
  }

  get #canSend() {
    return this.text.trim() !== "" && this.#tooMany <= 0 && !this.conversation.unsent && !this.conversation.isLoading;
  }

  /** How many characters are too many. Counted as characters only where that can matter. */
  get #tooMany() {
    return this.text.length <= longestMessage ? 0 : [...this.text].length - longestMessage;
  }

  #write(text: string) {
    this.text = text;
    this.chat.draft(this.conversation).save(text || null);
  }

  #onInput() {
    this.#write(this.#field.value);
  }

  #onKey(event: KeyboardEvent) {
    // While a character is put together, Enter and Escape are about that.
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      this.#submit();
    }
    if (event.key === "Escape" && this.conversation.isAnswering) this.#stop();
  }

  #submit(event?: Event) {
    event?.preventDefault();
    if (!this.#canSend || this.conversation.isAnswering) return;
    const text = this.text;
    // The draft of a new thread is not that of the thread which it becomes.
    this.#write("");
    void this.conversation.say(text);
    this.dispatchEvent(new CustomEvent("asked", { bubbles: true, composed: true }));
  }

  #stop() {
    void this.conversation.stop();
    this.focusField();
  }
}

customElements.define("human-chat-composer", Composer);
