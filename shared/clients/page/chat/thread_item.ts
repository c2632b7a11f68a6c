import { html, nothing } from "lit";
import { elementWith, type Property, state, styleSheets, tell } from "../ui/element.ts";
import { markWords, showExcerpt } from "../ui/excerpt.ts";
import { icons } from "../ui/icons.ts";
import { pieceStyles } from "./pieces.ts";
import { fill, fillPlural } from "../ui/fill.ts";
import type { Texts } from "./texts.ts";
import type { ListedThread, ThreadList } from "./thread_list.ts";
import styles from "./thread_item.css" with { type: "text" };

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
  static override styles = styleSheets(pieceStyles, styles);

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
