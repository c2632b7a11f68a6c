import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { countdown } from "../ui/countdown.ts";
import { closeModal, modal, modalStyles } from "../ui/dialog.ts";
import { elementWith, observe, type Property, state, styleSheets, tell } from "../ui/element.ts";
import { markWords, showExcerpt } from "../ui/excerpt.ts";
import { fill, fillPlural } from "../ui/fill.ts";
import { icons } from "../ui/icons.ts";
import type { Chat } from "./chat.ts";
import { pieceStyles } from "./pieces.ts";
import type { Texts } from "./texts.ts";
import type { ListedThread, ThreadList } from "./thread_list.ts";
import { describeTrouble, type Trouble } from "./trouble.ts";
import styles from "./side_bar.css" with { type: "text" };
import itemStyles from "./thread_item.css" with { type: "text" };

/** The pause in typing, in milliseconds, after which a search begins. */
const typingPause = 250;

/** A question that is asked before something is deleted for good. */
type Confirmation = { kind: "delete"; thread: ListedThread } | {
  kind: "leave";
  /** The reason why it has failed before. */
  trouble?: Trouble;
};

/**
 * The list of threads, and the signed-in user.
 *
 * @fires opened - A thread was opened.
 * @fires sign-in - The visitor wants to sign in.
 */
export class SideBar extends elementWith({
  chat: {} as Property<Chat>,
  texts: {} as Property<Texts>,
}) {
  static override styles = styleSheets(modalStyles, styles);

  #download = state<"busy" | "failed" | null>(this, null);
  #confirmation = state<Confirmation | null>(this, null);
  #typing: ReturnType<typeof setTimeout> | undefined;
  #secondsTo = countdown(this);

  constructor() {
    super();
    observe(this, () => this.chat);
    observe(this, () => this.chat.threads);
    observe(this, () => this.chat.conversation);
  }

  override render() {
    const { chat: { threads, coach }, texts } = this;
    const confirmation = this.#confirmation.value;
    return html`
      <div class="top">
        <button class="new" ?disabled=${!coach} @click=${() => this.#openThread(null)}>
          ${icons.plus} ${texts.newChat}
        </button>
        <label class="search" ?hidden=${!threads}>
          <span class="visually-hidden">${texts.search}</span>
          ${icons.search}
          <input type="search" placeholder=${texts.search} .value=${threads?.search ?? ""} @input=${this.#onSearch}>
        </label>
      </div>
      <nav class="list" aria-label=${texts.chats} @open-thread=${this.#onOpen} @delete-thread=${this.#onDelete}>
        ${threads
          ? this.#renderThreads()
          : this.chat.account?.userId === null
          ? html`<p class="empty">${texts.noChats}</p>`
          : nothing}
      </nav>
      <div class="foot">
        ${this.#renderAccount()}
        <slot></slot>
      </div>
      ${confirmation ? this.#renderConfirmation(confirmation) : nothing}
    `;
  }

  focusFirst() {
    this.renderRoot.querySelector<HTMLElement>(".new")?.focus();
  }

  #renderThreads() {
    const { texts } = this;
    const threads = this.chat.threads!;
    const { pinned, others, showsArchived, search, trouble } = threads;
    const isEmpty = pinned.length + others.length === 0;
    return html`
      ${trouble && trouble.kind !== "signedOut"
        ? html`<p class="empty error" role="alert">${describeTrouble(trouble, texts, this.#secondsTo)}</p>`
        : nothing}
      ${pinned.length > 0 ? html`<h2>${texts.pinned}</h2>${this.#renderList(pinned)}` : nothing}
      ${others.length > 0 && (pinned.length > 0 || showsArchived && !search)
        ? html`<h2>${showsArchived ? texts.archived : texts.chats}</h2>`
        : nothing}
      ${this.#renderList(others)}
      ${isEmpty && !trouble
        ? html`<p class="empty" role="status">${
          threads.isLoading
            ? texts.loading
            : search
            ? texts.noMatches
            : showsArchived
            ? texts.noArchived
            : texts.noChats
        }</p>`
        : nothing}
      ${threads.hasMore
        ? html`<button class="plain wide" @click=${() => threads.loadMore()}>${texts.showMore}</button>`
        : nothing}
      <button class="plain wide" ?hidden=${isEmpty && !showsArchived && !search && threads.isLoading} @click=${() =>
        threads.showArchived(!showsArchived)}>
        ${showsArchived ? texts.backToChats : texts.archived}
      </button>
    `;
  }

  #renderList(threads: ListedThread[]) {
    const { chat, texts } = this;
    return html`<ul>${
      repeat(threads, ({ id }) => id, (thread) =>
        html`
          <li>
            <human-chat-thread
              exportparts="thread"
              .thread=${thread}
              .threads=${chat.threads!}
              .texts=${texts}
              .isCurrent=${thread.id === chat.conversation?.threadId}
            ></human-chat-thread>
          </li>
        `)
    }</ul>`;
  }

  #renderAccount() {
    const { chat: { account, isSignedInBySite }, texts } = this;
    if (isSignedInBySite || !account) return nothing;
    const { email, userId } = account;
    return html`
      <p>${email === null ? texts.visitor : fill(texts.signedInAs, { email })}</p>
      <div>
        ${email === null
          ? html`<button @click=${() => tell(this, "sign-in")}>${texts.signIn}</button>`
          : html`<button @click=${() => this.chat.signOut()}>${icons.leave} ${texts.leave}</button>`}
        <button class="plain" ?hidden=${userId === null} @click=${() =>
          this.#confirmation.value = { kind: "leave" }}>${texts.leaveVisit}</button>
      </div>
      ${this.#renderDownload()}
    `;
  }

  #renderDownload() {
    const state = this.#download.value;
    const { texts } = this;
    return html`
      <p ?hidden=${this.chat.account?.userId === null}>${texts.downloadChats}
        ${(["md", "json"] as const).map((format) =>
          html`
            <button class="plain" ?disabled=${state === "busy"} @click=${() => this.#getChats(format)}>${format === "md"
              ? "Markdown"
              : "JSON"}</button>
          `
        )}
        <span role="status">${state && texts[state === "busy" ? "loading" : "trouble"]}</span></p>
    `;
  }

  async #getChats(format: "md" | "json") {
    const { you, locale } = this.texts;
    this.#download.value = "busy";
    try {
      const { downloadChats } = await import(new URL("human-download.js", import.meta.url).href);
      await downloadChats(this.chat.client, format, { you, locale });
      this.#download.value = null;
    } catch {
      this.#download.value = "failed";
    }
  }

  #renderConfirmation(confirmation: Confirmation) {
    const { texts } = this;
    if (confirmation.kind === "leave") {
      const { trouble } = confirmation;
      const hint = trouble
        ? `${describeTrouble(trouble, texts, this.#secondsTo)} ${texts.leaveVisitFailed}`
        : texts.leaveVisitHint;
      return this.#renderQuestion(texts.leaveVisitTitle, hint, texts.leaveVisit, async () => {
        const trouble = await this.chat.erase();
        this.#confirmation.value = trouble && { kind: "leave", trouble };
      });
    }
    const { id, title } = confirmation.thread;
    return this.#renderQuestion(texts.deleteChat, fill(texts.deleteHint, { title }), texts.delete, (event) => {
      closeModal(event);
      void this.chat.remove(id).then(() => this.focusFirst());
    });
  }

  #renderQuestion(title: string, hint: string, yes: string, act: (event: Event) => void) {
    const content = html`
      <h2>${title}</h2>
      <p role="status">${hint}</p>
      <div class="buttons">
        <button autofocus @click=${closeModal}>${this.texts.cancel}</button>
        <button class="danger" @click=${act}>${yes}</button>
      </div>
    `;
    return modal({ title, content, onClose: () => this.#confirmation.value = null });
  }

  #onSearch({ target }: Event) {
    clearTimeout(this.#typing);
    const words = (target as HTMLInputElement).value;
    this.#typing = setTimeout(() => this.chat.threads?.find(words), typingPause);
  }

  #onOpen({ detail }: CustomEvent<ListedThread>) {
    this.#openThread(detail.id);
  }

  #onDelete({ detail }: CustomEvent<ListedThread>) {
    this.#confirmation.value = { kind: "delete", thread: detail };
  }

  #openThread(threadId: string | null) {
    this.chat.open(threadId);
    tell(this, "opened");
  }
}

customElements.define("human-chat-side", SideBar);

/**
 * A thread of the list, with a menu to rename, pin, archive or delete it.
 *
 * @fires open-thread - The thread is to be opened.
 * @fires delete-thread - The thread is to be deleted.
 */
export class ThreadItem extends elementWith({
  thread: {} as Property<ListedThread>,
  threads: {} as Property<ThreadList>,
  texts: {} as Property<Texts>,
  isCurrent: {} as Property<boolean>,
}) {
  static override styles = styleSheets(pieceStyles, itemStyles);

  #mode = state<"closed" | "menu" | "renaming">(this, "closed");

  override render() {
    const { thread: { title, is_pinned, is_archived, updated_at, unread, excerpt }, threads, texts, isCurrent } = this;
    const { request_status, coach_profiles: { name } } = this.thread;
    const isOpen = this.#mode.value === "menu";
    if (this.#mode.value === "renaming") {
      return html`
        <form @submit=${this.#rename} @focusout=${this.#rename}>
          <input aria-label=${texts.rename} required maxlength="120" dir="auto" .value=${title} @keydown=${this
            .#onNameKey}>
        </form>
      `;
    }
    return html`
      <div class="row ${isCurrent ? "current" : ""} ${isOpen ? "open" : ""}" @focusout=${this.#onFocusOut}
        @keydown=${this.#onMenuKey}>
        <button class="title" part="thread" aria-current=${isCurrent ? "true" : nothing} title=${title}
          @click=${() => tell(this, "open-thread", this.thread)}>
          ${is_pinned ? icons.pin : nothing}${is_archived && threads.search ? icons.archive : nothing}<bdi>${markWords(
            title,
            excerpt,
          )}</bdi>${request_status ? html`<span class="waits">${fill(texts.waitingFor, { name })}</span>` : nothing}
          ${showExcerpt(title, excerpt)}
        </button>
        ${unread && !isCurrent
          ? html`<span class="unread">${fillPlural(texts.unread, { count: unread, locale: texts.locale })}</span>`
          : nothing}
        <span class="end">
          <time class="muted" datetime=${updated_at}>${formatDate(new Date(updated_at), texts.locale)}</time>
          <button class="plain icon more" aria-label=${fill(texts.more, { title })} aria-expanded=${isOpen}
            @click=${() => this.#mode.value = isOpen ? "closed" : "menu"}>${icons.more}</button>
        </span>
        ${isOpen ? this.#renderMenu() : nothing}
      </div>
    `;
  }

  #renderMenu() {
    const { thread: { id, is_pinned = false, is_archived = false }, threads, texts } = this;
    const { pencil, pin, archive, trash } = icons;
    const choice = (label: string, icon: unknown, act: () => unknown, name = "") =>
      html`<li><button class=${name} @click=${() => this.#choose(act)}>${icon} ${label}</button></li>`;
    return html`<ul>
      ${choice(texts.rename, pencil, () => this.#startRenaming())}
      ${choice(is_pinned ? texts.unpin : texts.pin, pin, () => threads.pin(id, !is_pinned))}
      ${choice(is_archived ? texts.unarchive : texts.archive, archive, () => threads.archive(id, !is_archived))}
      ${choice(texts.delete, trash, () => tell(this, "delete-thread", this.thread), "danger")}
    </ul>`;
  }

  #choose(act: () => unknown) {
    // The focus returns to the button that has opened the menu.
    this.renderRoot.querySelector<HTMLElement>(".more")?.focus();
    this.#mode.value = "closed";
    act();
  }

  async #startRenaming() {
    this.#mode.value = "renaming";
    await this.updateComplete;
    this.renderRoot.querySelector("input")?.select();
  }

  #rename(event: Event) {
    event.preventDefault();
    if (this.#mode.value !== "renaming") return;
    const title = this.renderRoot.querySelector("input")?.value.trim();
    void this.#endRenaming(event.type === "submit");
    if (title && title !== this.thread.title) void this.threads.rename(this.thread.id, title);
  }

  async #endRenaming(keepsFocus: boolean) {
    this.#mode.value = "closed";
    await this.updateComplete;
    if (keepsFocus) this.renderRoot.querySelector<HTMLElement>(".title")?.focus();
  }

  #onNameKey(event: KeyboardEvent) {
    if (event.key !== "Escape" || event.isComposing) return;
    event.stopPropagation();
    void this.#endRenaming(true);
  }

  #onMenuKey(event: KeyboardEvent) {
    if (event.key !== "Escape" || this.#mode.value !== "menu") return;
    event.stopPropagation();
    this.#choose(() => {});
  }

  #onFocusOut({ relatedTarget }: FocusEvent) {
    if (this.#mode.value === "menu" && !this.renderRoot.contains(relatedTarget as Node | null)) {
      this.#mode.value = "closed";
    }
  }
}

/** The time of today, or else the day. */
function formatDate(date: Date, locale: string): string {
  const now = new Date();
  if (date.toDateString() === now.toDateString()) {
    return date.toLocaleTimeString(locale, { hour: "numeric", minute: "2-digit" });
  }
  const year = date.getFullYear() === now.getFullYear() ? undefined : "numeric";
  return date.toLocaleDateString(locale, { day: "numeric", month: "short", year });
}

customElements.define("human-chat-thread", ThreadItem);
