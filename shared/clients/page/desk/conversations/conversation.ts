import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { WatchedEvent } from "../../../client/watch.ts";
import { type Property, state, styleSheets } from "../../ui/element.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { namePerson } from "../format.ts";
import { icons } from "../icons.ts";
import { fill, fillIn, t } from "../texts.ts";
import { showError } from "../parts/show_state.ts";
import { coalesce } from "../state/coalesce.ts";
import { Loading, PagedList } from "../state/work.ts";
import type { InPerson } from "./in_person.ts";
import "./in_person.ts";
import { nameOfAuthor } from "./message.ts";
import type { PersonBar } from "./person_bar.ts";
import "./person_bar.ts";
import styles from "./conversation.css" with { type: "text" };

const include = "status,sources,feedback,author,basis";

/**
 * One conversation, live: who it is, its messages with their sources, and the bar of the expert.
 *
 * @fires changed - The expert has changed it, or said something.
 */
export class DeskConversation extends DeskPart.with({
  /** Never changes: each conversation has an element of its own. */
  threadId: {} as Property<string>,
  experts: {} as Property<Schemas["Expert"][]>,
  /** The address of the list. */
  back: {} as Property<string>,
  /** The address of the next conversation of the list; null: there is none. */
  next: {} as Property<string | null>,
}) {
  static override styles = styleSheets(styles);

  #thread = this.use(new Loading((options) => this.client.getConversation(this.coachId, this.threadId, options)));
  #messages = this.use(
    new PagedList((page, options) =>
      this.client.listMessages(this.threadId, { include, order: "desc", ...page }, options)
    ),
  );
  #refresh = coalesce(async () => this.isConnected && await this.#read(), 1_000);
  /** The question that the expert has chosen to answer; null: the one that waits longest. */
  #chosen = state<string | null>(this, null);
  /** True if a takeover may have begun or ended since the thread was read. */
  #isThreadStale = true;
  /** True while the person is typing. */
  #isTyping = state(this, false, 7_000);
  /** The ID of the message that was the newest when the conversation was opened. */
  #firstSeen: string | null = null;
  /** A key that was pressed before it was known what the conversation is. */
  #earlyKey: string | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#readAll();
  }
  protected override heard({ kind, thread_id }: WatchedEvent): void {
    const isStart = kind === "watching" || kind === "missed";
    if (thread_id !== this.threadId && !isStart || kind === "typing.expert") return;
    this.#isTyping.value = kind === "typing.user";
    if (kind === "typing.user") return;
    if (isStart || kind.startsWith("takeover.") || kind === "thread.changed" || kind === "message.begun") {
      this.#isThreadStale = true;
    }
    this.#refresh();
  }
  async #read(): Promise<void> {
    const isThreadStale = this.#isThreadStale;
    this.#isThreadStale = false;
    await Promise.all([isThreadStale && this.#thread.load(), this.#messages.load()]);
    if (this.#thread.error !== null) this.#isThreadStale = true;
  }
  #readAll = (): void => {
    this.#isThreadStale = true;
    this.#refresh();
  };

  override render() {
    const { value: thread, error, isGone } = this.#thread;
    const newestFirst = this.#messages.items;
    const messages = newestFirst?.toReversed();
    const requested = messages?.filter(({ request }) => request?.status === "waiting" || request?.status === "seen") ??
      [];
    const asked = requested.find(({ id }) => id === this.#chosen.value) ?? requested[0] ?? null;
    return html`
      <header>
        <a class="back" href=${this.back} aria-label=${t.conversations.all}>${icons.back}</a>
        <div>
          <h2>${isGone ? t.conversations.gone : thread?.title ?? "…"}</h2>
          ${thread === null ? nothing : html`<p class="small"><bdi>${namePerson(thread)}</bdi></p>`}
        </div>
      </header>
      ${thread === null || isGone ? html`<span></span>` : html`
        <human-desk-person .desk=${this.desk} .conversation=${thread} .experts=${this.experts}
          .next=${this.next} @changed=${this.#onChanged}></human-desk-person>
      `}
      <div class="log" tabindex="0" role="log" aria-live="off" aria-label=${t.conversations.messages}>
        <div class="said">
        ${isGone
          ? html`<p class="muted">${t.conversations.deletedByPerson}</p>`
          : showError(error ?? this.#messages.error, this.#readAll)}
        ${this.#messages.hasMore
          ? html`<div><button ?disabled=${this.#messages.isBusy} @click=${() =>
            this.#messages.more()}>${t.conversations.showEarlier}</button></div>`
          : nothing}
        ${messages === undefined
          ? error === null ? html`<p class="muted" role="status">${t.parts.loading}</p>` : nothing
          : repeat(messages, ({ id }) => id, (message, index) =>
            html`
              <human-desk-message .desk=${this.desk} .message=${message} .asked=${questionBefore(messages, index)}
                .quoted=${quotedBy(messages, index)} .earlier=${saidBeforeQuestion(messages, index)}
                @done=${() => this.#refresh()} @reply=${() => this.#reply(message.id)}></human-desk-message>
            `)}
        </div>
      </div>
      <p class="visually-hidden" aria-live="polite">${this.#announce(newestFirst)}</p>
      <p class="typing small muted" role="status">${this.#isTyping.value && thread !== null
        ? fillIn(t.conversations.typing, { name: html`<bdi>${namePerson(thread)}</bdi>` })
        : nothing}</p>
      ${thread === null || isGone ? nothing : html`
        <human-desk-in-person .desk=${this.desk} .thread=${thread} .asked=${asked} .experts=${this.experts}
          .waiting=${messages?.filter(({ status }) => status === "waiting").length ?? 0}
          @done=${this.#onDone}></human-desk-in-person>
      `}
    `;
  }

  /** Returns the newest message for screen readers, if it is complete and newer than the open conversation. */
  #announce(newestFirst: Schemas["Message"][] | null): string {
    const newest = newestFirst?.find(({ content, status }) => content !== "" && status === "complete");
    if (newest === undefined) return "";
    this.#firstSeen ??= newest.id;
    if (newest.id === this.#firstSeen) return "";
    return fill(t.conversations.spoken, { author: nameOfAuthor(newest, this.desk.userId), words: newest.content });
  }

  async #reply(id: string): Promise<void> {
    this.#chosen.value = id;
    await this.updateComplete;
    this.renderRoot.querySelector<InPerson>("human-desk-in-person")?.focusField();
  }

  protected override updated(): void {
    if (this.#thread.error !== null) this.#earlyKey = null;
    const key = this.#earlyKey;
    if (key !== null && this.#thread.value !== null) void this.press(key);
  }

  /** Does what a key stands for, once it is known what the conversation is. */
  async press(key: string): Promise<void> {
    const person = this.renderRoot.querySelector<PersonBar>("human-desk-person");
    const inPerson = this.renderRoot.querySelector<InPerson>("human-desk-in-person");
    const conversation = this.#thread.value;
    const isEarly = person === null || conversation === null;
    this.#earlyKey = isEarly ? key : null;
    if (isEarly) return;
    await inPerson?.updateComplete;
    if (key === "r") inPerson?.focusField();
    else if (key === "d") void inPerson?.draft();
    else if (key === "n") void person.startNote();
    else if (key === "e") void person.change({ is_closed: !conversation.is_closed });
    else if (key === "a") {
      const { userId } = this.desk;
      void person.change({ assigned_to: conversation.assigned_to === userId ? null : userId });
    }
  }

  #onChanged = ({ detail }: CustomEvent<Schemas["Conversation"]>): void => {
    this.#thread.set(detail);
    this.dispatchEvent(new CustomEvent("changed"));
  };
  #onDone = (): void => {
    // The newest message is at the top of the scroll area.
    this.renderRoot.querySelector(".log")!.scrollTop = 0;
    this.#isThreadStale = true;
    this.#refresh("now");
    this.dispatchEvent(new CustomEvent("changed"));
  };
}

/** Returns the last question before a message. */
function questionBefore(messages: Schemas["Message"][], index: number): string {
  return messages.slice(0, index).findLast(({ role }) => role === "user")?.content ?? "";
}

/** Returns the question that a message of the expert answers, unless it is the message before. */
function quotedBy(messages: Schemas["Message"][], index: number): string {
  const { in_reply_to: id } = messages[index]!;
  return id === undefined || messages[index - 1]?.id === id ? "" : messages.find((one) => one.id === id)?.content ?? "";
}

/** Returns the messages before the last question before a message. */
function saidBeforeQuestion(messages: Schemas["Message"][], index: number): Schemas["Message"][] {
  const asked = messages.slice(0, index).findLastIndex(({ role }) => role === "user");
  return messages.slice(0, Math.max(asked, 0));
}

customElements.define("human-desk-conversation", DeskConversation);
