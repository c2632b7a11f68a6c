import { html, nothing } from "lit";
import { elementWith, observe, type Property, state, styleSheets } from "../ui/element.ts";
import { countdown } from "../ui/countdown.ts";
import { fill, fillPlural } from "../ui/fill.ts";
import { languages } from "../ui/language.ts";
import type { Chat } from "./chat.ts";
import type { Composer } from "./composer.ts";
import type { Conversation } from "./conversation.ts";
import type { ExpertRequest } from "./messages.ts";
import "./mailed_page.ts";
import { face, pieceStyles } from "./pieces.ts";
import type { Texts } from "./texts.ts";
import { describeTrouble, type Trouble } from "./trouble.ts";
import styles from "./request_card.css" with { type: "text" };
import typingStyles from "./typing_sign.css" with { type: "text" };

/** What was asked in person, while the person waits: how far it is, and where to send the answer. Loaded on demand. */
export class RequestCard extends elementWith({
  chat: {} as Property<Chat>,
  conversation: {} as Property<Conversation>,
  request: {} as Property<ExpertRequest>,
  texts: {} as Property<Texts>,
}) {
  static override styles = styleSheets(pieceStyles, styles);

  #trouble = state<Trouble | null>(this, null);
  #isAskingAgain = state(this, false);
  #secondsTo = countdown(this);

  constructor() {
    super();
    observe(this, () => this.chat);
  }

  // Not when it is connected: properties that were set before the script was there are restored with the first update.
  protected override firstUpdated() {
    void this.chat.readTimes();
  }

  override render() {
    const { chat: { coach, times }, request: { status, question }, texts } = this;
    const name = coach!.name;
    const trouble = this.#trouble.value;
    const isSeen = status === "seen";
    const step = (text: string, isDone: boolean, isCurrent: boolean) =>
      html`<li class=${isDone ? "done" : ""} aria-current=${isCurrent ? "step" : nothing}>${text}</li>`;
    return html`
      <div role="group" aria-label=${fill(texts.requestTo, { name })}>
        <div class="top">
          ${face(coach!)}
          <p class="state" role="status">${fill(isSeen ? texts.requestSeen : texts.requestPassedOn, { name })}</p>
          <button class="plain" @click=${this.#takeBack}>${texts.takeBack}</button>
        </div>
        <p class="asked" dir="auto">${question}</p>
        <ol class="steps">
          ${step(texts.stepPassedOn, true, !isSeen)}${step(texts.stepSeen, isSeen, isSeen)}${step(
            texts.stepAnswered,
            false,
            false,
          )}
        </ol>
        ${times?.usual_reply_hours == null
          ? nothing
          : html`<p class="muted">${describeUsual(times.usual_reply_hours, texts)}</p>`}
        ${this.#renderMail()}
        ${trouble
          ? html`<p class="error" role="alert">${describeTrouble(trouble, texts, this.#secondsTo)}</p>`
          : nothing}
      </div>
    `;
  }

  #renderMail() {
    const { chat: { times, account }, request: { email }, texts } = this;
    if (email !== null && !this.#isAskingAgain.value) {
      return html`
        <p role="status">${email === "confirmed" ? texts.requestMailOn : texts.requestMailSent}
          <button class="plain" @click=${() => this.#isAskingAgain.value = true}>${texts.mailOther}</button></p>
      `;
    }
    if (!times?.tells_by_mail) return nothing;
    return html`
      <form @submit=${this.#submit}>
        <label for="email">${texts.requestMail}</label>
        <input id="email" name="email" type="email" autocomplete="email" required .value=${account?.email ?? ""}>
        <button>${texts.requestMailSend}</button>
      </form>
    `;
  }

  async #submit(event: SubmitEvent) {
    event.preventDefault();
    const email = String(new FormData(event.target as HTMLFormElement).get("email"));
    const language = languages.find((language) => language === this.texts.locale.slice(0, 2));
    const { thread_id, message_id } = this.request;
    await this.#change(() => this.chat.client.askExpert(thread_id, { message_id, email, language }));
    this.#isAskingAgain.value &&= this.#trouble.value !== null;
  }

  #takeBack() {
    const { thread_id, id } = this.request;
    void this.#change(() => this.chat.client.withdrawRequest(thread_id, id));
  }

  async #change(act: () => Promise<unknown>) {
    this.#trouble.value = await this.conversation.changeRequest(act);
  }
}

function describeUsual(hours: number, texts: Texts): string {
  const { locale } = texts;
  return hours < 36
    ? fillPlural(texts.usualHours, { count: Math.max(1, Math.round(hours)), locale })
    : fillPlural(texts.usualDays, { count: Math.round(hours / 24), locale });
}

customElements.define("human-chat-request", RequestCard);

/** Milliseconds for which somebody is said to be typing, and after which that is told again. */
const typing = { shown: 7_000, told: 5_000 };

/** Says that the expert is typing in a conversation, and tells the expert that the person is. */
export class TypingSign extends elementWith({
  chat: {} as Property<Chat>,
  conversation: {} as Property<Conversation>,
  texts: {} as Property<Texts>,
}) {
  static override styles = styleSheets(typingStyles);

  /** The name of the expert who is typing; empty: nobody is. */
  #name = state(this, "", typing.shown);
  #toldAt = -Infinity;
  #listening = new AbortController();

  override connectedCallback() {
    super.connectedCallback();
    this.#listening = new AbortController();
    addEventListener("input", this.#onInput, this.#listening);
  }
  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#listening.abort();
    this.#name.value = "";
  }
  protected override updated() {
    this.conversation.heard = ({ kind, name = "" }) => {
      if (kind === "typing.expert") this.#name.value = name;
      else if (kind === "message.completed") this.#name.value = "";
    };
  }

  override render() {
    const name = this.#name.value;
    return html`<p role="status">${name === "" ? nothing : fill(this.texts.typing, { name })}</p>`;
  }

  #onInput = (event: Event) => {
    const isHere = event.composedPath().some((part) =>
      (part as Partial<Composer>).localName === "human-chat-composer" &&
      (part as Composer).conversation === this.conversation
    );
    const now = performance.now();
    if (!isHere || now - this.#toldAt < typing.told) return;
    this.#toldAt = now;
    // Nobody misses it.
    this.chat.client.tellTyping(this.conversation.threadId).catch(() => {});
  };
}

customElements.define("human-chat-typing", TypingSign);
