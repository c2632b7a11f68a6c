import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { elementWith, observe, type Property, state, styleSheets, tell } from "../ui/element.ts";
import { withoutMarks } from "../ui/excerpt.ts";
import { fill, fillPlural } from "../ui/fill.ts";
import { icons } from "../ui/icons.ts";
import type { Chat, Coach } from "./chat.ts";
import type { ChatMessage } from "./chat_message.ts";
import "./chat_message.ts";
import type { Conversation } from "./conversation.ts";
import "./mail_offer.ts";
import type { ShownMessage } from "./messages.ts";
import { face, loadInPerson, pieceStyles } from "./pieces.ts";
import { describeAuthor, type Texts } from "./texts.ts";
import styles from "./message_list.css" with { type: "text" };
import welcomeStyles from "./welcome.css" with { type: "text" };

/** The distance from the end, in pixels, within which the newest message counts as being read. */
const nearEnd = 48;

/**
 * The messages of a conversation. A reader at the end stays at the end when messages are added.
 *
 * @fires asked - One of the suggested questions was asked.
 */
export class MessageList extends elementWith({
  chat: {} as Property<Chat>,
  conversation: {} as Property<Conversation>,
  coach: {} as Property<Coach>,
  privacyUrl: {} as Property<string>,
  texts: {} as Property<Texts>,
}) {
  static override styles = styleSheets(pieceStyles, welcomeStyles, styles);

  #isAtEnd = state(this, true);
  #lastTop = 0;
  #sizes = new ResizeObserver(() => this.#keepPlace());

  get #log(): HTMLElement {
    return this.renderRoot.querySelector(".log")!;
  }
  get #content(): HTMLElement {
    return this.renderRoot.querySelector(".content")!;
  }

  constructor() {
    super();
    observe(this, () => this.conversation);
  }

  /** Renders once a frame, however fast an answer arrives. */
  protected override async scheduleUpdate() {
    if (this.hasUpdated) await new Promise(requestAnimationFrame);
    super.scheduleUpdate();
  }

  override connectedCallback() {
    super.connectedCallback();
    void this.updateComplete.then(() =>
      this.isConnected && [this.#log, this.#content].forEach((it) => this.#sizes.observe(it))
    );
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#sizes.disconnect();
  }

  protected override willUpdate(changed: Map<string, unknown>) {
    if (changed.has("conversation")) this.#isAtEnd.value = true;
  }

  override render() {
    const { chat, conversation, coach, texts } = this;
    const { messages, isBusy, announced } = conversation;
    const isInPerson = conversation.handledBy === "expert";
    const { joinedAt, leftAt } = findInPerson(messages, isInPerson);
    const isWaiting = messages.some(({ request }) => request?.status === "waiting" || request?.status === "seen");
    const textOf = (id?: string) => messages.find((message) => message.id === id)?.content;
    return html`
      <div class="log" role="log" aria-live="off" aria-label=${texts.conversation} tabindex="0"
        @scroll=${this.#onScroll} @asked=${this.showEnd}>
        <div class="content">
          ${conversation.hasEarlier
            ? html`<button class="earlier" @click=${this.#loadEarlier}>${texts.showEarlier}</button>`
            : nothing}
          ${messages.length === 0 ? this.#renderBeginning() : nothing}
          ${repeat(messages, ({ key }) => key, (message, index) =>
            html`
              ${index === joinedAt ? this.#renderJoined() : nothing}${index === leftAt ? this.#renderLeft() : nothing}
              <human-chat-message
                exportparts="question, answer, person, source, dialog"
                .message=${message}
                .quoted=${(messages[index - 1]?.id === message.inReplyTo ? null : textOf(message.inReplyTo)) ?? ""}
                .corrected=${textOf(message.corrects) ?? ""}
                .chat=${chat}
                .conversation=${conversation}
                .coach=${coach}
                .texts=${texts}
                .isLast=${index === messages.length - 1}
                .isBusy=${isBusy}
              ></human-chat-message>
            `)}
          ${joinedAt === messages.length ? this.#renderJoined() : nothing}${leftAt === messages.length
            ? this.#renderLeft()
            : nothing}
          ${!isWaiting && messages.some(({ isPassedOn, status }) => isPassedOn || status === "waiting")
            ? html`<human-chat-mail .chat=${chat} .name=${coach.name} .texts=${texts}></human-chat-mail>`
            : nothing}
        </div>
      </div>
      ${isInPerson || isWaiting ? this.#renderTyping() : nothing}
      <button class="newest" aria-label=${texts.newest} title=${texts.newest} ?hidden=${this.#isAtEnd.value ||
        messages.length === 0}
        @click=${this.showEnd}>${icons.down}</button>
      <p class="visually-hidden" aria-live="polite">${announced
        ? `${coach.name}, ${describeAuthor(announced.author, coach.name, texts)}: ${withoutMarks(announced.content)} ${
          announced.status === "failed" ? texts.answerFailed : ""
        }`
        : nothing}</p>
    `;
  }

  #renderJoined() {
    const { coach: { name }, texts } = this;
    return html`<p class="taken-over" role="status">${icons.person} ${fill(texts.expertAnswers, { name })}</p>`;
  }

  /** The sign that somebody is typing; it is in the script of what is shown to people who ask in person. */
  #renderTyping() {
    const { chat, conversation, texts } = this;
    loadInPerson();
    return html`<human-chat-typing .chat=${chat} .conversation=${conversation} .texts=${texts}></human-chat-typing>`;
  }

  #renderLeft() {
    const { coach: { name }, texts } = this;
    return html`<p class="taken-over left" role="status">${icons.sparkle} ${fill(texts.expertLeft, { name })}</p>`;
  }

  #renderBeginning() {
    const { conversation, coach, privacyUrl, texts } = this;
    switch (conversation.stage) {
      case "loading":
        return html`<p class="loading" role="status">${texts.loading}</p>`;
      case "new":
        return welcome(coach, { texts, privacyUrl, onAsk: (question) => this.#ask(question) });
      case "ready":
        return nothing;
    }
  }

  /** Scrolls to the newest message, and stays at the end. */
  showEnd() {
    this.#isAtEnd.value = true;
    this.#keepPlace();
  }

  #ask(text: string) {
    // The button may be pressed twice before it disappears.
    if (this.conversation.isBusy) return;
    this.conversation.say(text);
    tell(this, "asked");
    this.showEnd();
  }

  async #loadEarlier() {
    const fromEnd = this.#log.scrollHeight - this.#log.scrollTop;
    await this.conversation.loadEarlier();
    await this.updateComplete;
    await Promise.all(
      [...this.renderRoot.querySelectorAll<ChatMessage>("human-chat-message")].map((it) => it.updateComplete),
    );
    // The text that was being read keeps its place below the earlier messages.
    this.#log.scrollTop = this.#log.scrollHeight - fromEnd;
    this.#log.focus({ preventScroll: true });
  }

  #onScroll() {
    const { scrollTop, scrollHeight, clientHeight } = this.#log;
    // New messages also move the end away. Only scrolling up leaves it.
    if (scrollHeight - scrollTop - clientHeight < nearEnd) this.#isAtEnd.value = true;
    else if (scrollTop < this.#lastTop) this.#isAtEnd.value = false;
    this.#lastTop = scrollTop;
  }

  #keepPlace() {
    // A greeting is read from its start.
    if (this.conversation.messages.length === 0) this.#log.scrollTop = 0;
    else if (this.#isAtEnd.value) this.#log.scrollTop = this.#log.scrollHeight;
  }
}

/** The places where the expert has joined, after the last answer of another, and has left, after their last words. */
function findInPerson(messages: ShownMessage[], isOn: boolean): { joinedAt: number | null; leftAt: number | null } {
  const isAutomatic = ({ author, status }: ShownMessage) =>
    (author === "ai" || author === "pinned") && status !== "waiting" && status !== "streaming";
  if (isOn) return { joinedAt: messages.findLastIndex(isAutomatic) + 1, leftAt: null };
  // A correction, and an answer for everybody who has asked, are no visit.
  const last = messages.findLastIndex(({ author, sources }) => author === "expert" && sources.length === 0);
  return { joinedAt: null, leftAt: last < 0 ? null : last + 1 };
}

customElements.define("human-chat-messages", MessageList);

/**
 * The start of a new thread: the coach, the greeting, who can read what is said and how long it is kept, and questions
 * to begin with. They come last, since they may not all fit on the screen.
 */
function welcome(
  coach: Coach,
  { texts, privacyUrl, onAsk }: { texts: Texts; privacyUrl: string; onAsk: (question: string) => void },
): TemplateResult {
  return html`
    <div class="welcome">
      ${face(coach)}
      <h2><bdi>${coach.name}</bdi></h2>
      <p class="muted"><bdi>${coach.title}</bdi></p>
      ${coach.greeting ? html`<p class="greeting" dir="auto">${coach.greeting}</p>` : nothing}
      <p class="privacy muted">
        ${fill(texts.privacy, { name: coach.name })}
        ${coach.retention_days
          ? fillPlural(texts.keptFor, { count: coach.retention_days, locale: texts.locale })
          : nothing}
        ${isPage(privacyUrl)
          ? html`<a href=${privacyUrl} target="_blank" rel="noopener">${texts.privacyPage}</a>`
          : nothing}
      </p>
      <ul class="choices">
        ${coach.starters.map((question) =>
          html`<li><button part="starter" dir="auto" @click=${() => onAsk(question)}>${question}</button></li>`
        )}
      </ul>
    </div>
  `;
}

/** Returns true for the address of a page, of this site or of another one. */
function isPage(address: string): boolean {
  const base = document.baseURI;
  return address !== "" && URL.canParse(address, base) && /^https?:$/.test(new URL(address, base).protocol);
}
