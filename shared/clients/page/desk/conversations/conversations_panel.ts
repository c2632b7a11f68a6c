import { html, nothing, type PropertyValues, render, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import type { WatchedEvent } from "../../../client/watch.ts";
import { keep } from "../../connection.ts";
import { listen, type Property, styleSheets } from "../../ui/element.ts";
import { markWords, showExcerpt } from "../../ui/excerpt.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { formatMoment, formatTime, namePerson, zoneOfBrowser } from "../format.ts";
import { icons } from "../icons.ts";
import { searchField } from "../parts/search_field.ts";
import { showEmpty, showList } from "../parts/show_state.ts";
import { linkTo, type Route } from "../route.ts";
import { concernsOf } from "../state/coach_feed.ts";
import { coalesce } from "../state/coalesce.ts";
import { Loading, PagedList } from "../state/work.ts";
import { t } from "../texts.ts";
import type { DeskConversation } from "./conversation.ts";
import "./conversation.ts";
import styles from "./conversations_panel.css" with { type: "text" };
import shortcutStyles from "./shortcuts.css" with { type: "text" };

type Conversation = Schemas["Conversation"];

/** The panel of conversations: a list with filters, and the open conversation beside it. */
export class ConversationsPanel extends DeskPart.with({ route: {} as Property<Route> }) {
  static override styles = styleSheets(styles, shortcutStyles);

  #list = this.use(
    new PagedList(async (page, options) => {
      const { filters } = this.route;
      const valueOf = (name: string) => filters.get(name) || undefined;
      const isClosed = filters.has("closed");
      const query = {
        search: valueOf("search"),
        // Whoever searches looks for it everywhere, and who waits does so wherever they are.
        is_closed: isClosed
          ? "true" as const
          : filters.has("search") || filters.has("waiting")
          ? undefined
          : "false" as const,
        has_feedback: filters.has("down") ? "down" as const : undefined,
        needs_reply: filters.has("waiting") ? "true" as const : undefined,
        from: valueOf("from"),
        to: valueOf("to"),
        time_zone: filters.has("from") || filters.has("to") ? zoneOfBrowser() : undefined,
      };
      const found = await this.client.listConversations(this.coachId, { ...query, ...page }, options);
      if (found.count === 0 && filters.size === 0) {
        const isAny = async (which: { is_closed?: "true"; needs_reply?: "true" }) =>
          (await this.client.listConversations(this.coachId, { ...which, limit: 1 }, options)).count > 0;
        const [isWaiting, isClosed] = await Promise.all([isAny({ needs_reply: "true" }), isAny({ is_closed: "true" })]);
        this.#left = isWaiting ? "waiting" : isClosed ? "closed" : "nothing";
      }
      return found;
    }),
  );
  /** The experts, to whom any of the conversations can be assigned. */
  #experts = this.use(new Loading((options) => this.client.listExperts(this.coachId, {}, options)));
  /** Besides an empty list, there is somebody who waits in a conversation that was closed, or others that were. */
  #left: "waiting" | "closed" | "nothing" = "nothing";
  /** The place of the open conversation in the list, or the last one, if it has left it. */
  #place = 0;
  #refresh = coalesce(async () => this.isConnected && await this.#list.load(), 4_000);

  override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get("route");
    if (changed.has("desk") || before?.filters.toString() !== this.route.filters.toString() && changed.has("route")) {
      this.#place = 0;
      void this.#list.restart();
    } else if (changed.has("route") && before?.id !== this.route.id) {
      this.#place = 0;
      // What was opened is no longer new.
      this.#refresh();
    }
    if (changed.has("route") && this.route.id !== null && this.#experts.value === null) void this.#experts.load();
  }

  constructor() {
    super();
    listen(this, document, "keydown", this.#onKey);
  }

  protected override heard(event: WatchedEvent): void {
    if (concernsOf(event).conversations) this.#refresh();
  }

  override render() {
    const { id } = this.route;
    return html`
      <div class="split ${id === null ? "" : "open"}">
        <section class="aside stack" aria-labelledby="title">
          <div class="row spread">
            <h2 id="title">${t.conversations.title}</h2>
            <button class="small" aria-haspopup="dialog" aria-label=${t.conversations.shortcuts} title=${t.conversations
              .shortcuts} @click=${this.#showShortcuts}>?</button>
          </div>
          ${this.#renderFilters()}
          ${showList(this.#list, {
            name: t.conversations.title,
            key: (conversation) => conversation.id,
            item: (conversation) => this.#renderItem(conversation),
            empty: this.#renderEmpty(),
          })}
        </section>
        ${id === null ? html`<p class="nothing muted">${t.conversations.select}</p>` : this.#renderConversation(id)}
      </div>
      <dialog aria-labelledby="shortcuts"></dialog>
    `;
  }

  #renderEmpty() {
    if (this.route.filters.size > 0) return showEmpty(t.conversations.noneFound, t.conversations.noMatch);
    if (this.#left === "nothing") return showEmpty(t.conversations.empty, t.conversations.emptyHint);
    if (this.#left === "closed") {
      return html`<div class="done">${icons.check}${
        showEmpty(t.conversations.allDone, t.conversations.allDoneHint)
      }</div>`;
    }
    const waiting = linkTo("conversations", null, [["waiting", "1"]]);
    const hint = html`${t.conversations.stillWaitingHint} <a href=${waiting}>${t.conversations.stillWaitingShow}</a>`;
    return showEmpty(t.conversations.stillWaiting, hint);
  }

  #renderConversation(id: string) {
    const back = linkTo("conversations", null, this.route.filters);
    const next = this.#find(1)?.id;
    // Each conversation has an element of its own, so that a draft for one person never appears for another.
    return keyed(
      id,
      html`
        <human-desk-conversation .desk=${this.desk} .threadId=${id} .back=${back}
          .next=${next === undefined || next === id ? null : linkTo("conversations", next, this.route.filters)}
          .experts=${this.#experts.value?.data ?? []} @changed=${() => this.#refresh("now")}></human-desk-conversation>
      `,
    );
  }

  #renderFilters() {
    const { filters } = this.route;
    const toggle = (name: string, label: string) =>
      html`<button class="small toggle" type="button" aria-pressed=${filters.has(name)} @click=${() =>
        this.#filter(name, filters.has(name) ? "" : "1")}>${label}</button>`;
    const day = (name: string, label: string) =>
      html`<label class="day small">${label}
        <input type="date" .value=${filters.get(name) ?? ""} @change=${(event: Event) =>
        this.#filter(name, (event.target as HTMLInputElement).value)}></label>`;
    return html`
      <div class="stack tight" role="group" aria-label=${t.conversations.filter}>
        ${searchField({
          label: t.conversations.search,
          value: filters.get("search") ?? "",
          search: (words) => this.#filter("search", words),
        })}
        <div class="row">
          ${toggle("waiting", t.conversations.needsReply)} ${toggle("down", t.conversations.thumbsDown)}
          ${toggle("closed", t.conversations.closedOnes)}
        </div>
        <details ?open=${filters.has("from") || filters.has("to")}>
          <summary class="small muted">${t.conversations.dates}</summary>
          <div class="row">${day("from", t.conversations.from)} ${day("to", t.conversations.to)}</div>
        </details>
      </div>
    `;
  }

  #renderItem(conversation: Conversation) {
    const { id, title, updated_at, excerpt, ...state } = conversation;
    const isNew = state.is_unread === true && id !== this.route.id;
    return html`
      <a class="item ${isNew ? "new" : ""}" href=${linkTo("conversations", id, this.route.filters)}
        aria-current=${id === this.route.id ? "true" : nothing}>
        ${isNew ? html`<span class="visually-hidden">${t.conversations.unread}</span>` : nothing}
        <span class="title clamp text">${markWords(title, excerpt)}</span>
        ${showExcerpt(title, excerpt)}
        <span class="row small muted">
          <bdi>${namePerson(conversation)}</bdi>
          <time datetime=${updated_at} title=${formatTime(updated_at)}>${formatMoment(updated_at)}</time>
          ${state.needs_reply_at === null ? nothing : html`
            <span class="tag person">${t.conversations.waitingForYou}</span>
          `}
          ${state.handled_by === "ai"
            ? nothing
            : html`<span class="tag person">${icons.person} ${
              state.taken_over_by === this.desk.userId
                ? t.conversations.youAreAnswering
                : t.conversations.colleagueIsAnswering
            }</span>`}
          ${state.assigned_to === null ? nothing : html`
            <span class="tag">${state.assigned_to === this.desk.userId
              ? t.conversations.yours
              : t.conversations.ofColleague}</span>
          `}
          ${state.is_closed ? html`<span class="tag">${t.conversations.tagClosed}</span>` : nothing}
          ${state.note === null ? nothing : html`<span class="tag">${t.conversations.note}</span>`}
          ${state.has_down ? html`<span class="tag danger">${icons.down} ${t.conversations.tagDown}</span>` : nothing}
        </span>
      </a>
    `;
  }

  /** The next or the previous conversation of the list. One that has left the list had its place between these two. */
  #find(step: 1 | -1): Conversation | undefined {
    const items = this.#list.items ?? [];
    const at = items.findIndex(({ id }) => id === this.route.id);
    if (at >= 0) this.#place = at;
    const to = at >= 0 ? at + step : this.#place + Math.min(step, 0);
    return items[Math.min(Math.max(to, 0), items.length - 1)];
  }

  #go(step: 1 | -1): void {
    const next = this.#find(step);
    if (next !== undefined) location.hash = linkTo("conversations", next.id, this.route.filters);
  }

  #onKey = (event: KeyboardEvent): void => {
    const path = event.composedPath();
    const [target] = path;
    // The desk may stand in a page with keys of its own; whoever came by its navigation is still there.
    if (target !== document.body && !path.includes(this.getRootNode())) return;
    const isTyped = target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable]");
    if (isTyped || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (this.renderRoot.querySelector("dialog")!.open) return;
    if (event.key === "?") this.#showShortcuts();
    else if (!areShortcutsOn()) return;
    else if (event.key === "j") this.#go(1);
    else if (event.key === "k") this.#go(-1);
    else if (event.key === "/") this.renderRoot.querySelector<HTMLElement>("[type=search]")?.focus();
    else if ("eadnr".includes(event.key)) {
      void this.renderRoot.querySelector<DeskConversation>("human-desk-conversation")?.press(event.key);
    } else return;
    event.preventDefault();
  };

  #showShortcuts = (): void => {
    const dialog = this.renderRoot.querySelector("dialog")!;
    render(renderShortcuts(dialog), dialog);
    dialog.showModal();
  };

  #filter(name: string, value: string): void {
    const filters = new URLSearchParams(this.route.filters);
    if (value === "") filters.delete(name);
    else filters.set(name, value);
    location.hash = linkTo("conversations", this.route.id, filters);
  }
}

customElements.define("human-desk-conversations", ConversationsPanel);

const wanted = keep<boolean>("human-desk shortcuts", "browser");

/** True unless the expert has switched the shortcuts off: whoever dictates might press them without meaning to. */
const areShortcutsOn = () => wanted.load() ?? true;

/** The list of shortcuts, in a dialog. */
function renderShortcuts(dialog: HTMLDialogElement): TemplateResult {
  const keys: [key: string, does: string][] = [
    ["j", t.conversations.keyNext],
    ["k", t.conversations.keyPrevious],
    ["r", t.conversations.keyReply],
    ["d", t.conversations.draftReply],
    ["e", t.conversations.keyClose],
    ["a", t.conversations.keyAssign],
    ["n", t.conversations.keyNote],
    ["/", t.conversations.keySearch],
    ["?", t.conversations.keyList],
  ];
  return html`
    <div class="stack">
      <h3 id="shortcuts">${t.conversations.shortcuts}</h3>
      <dl class="keys">${keys.map(([key, does]) =>
        html`
          <div>
            <dt><kbd>${key}</kbd></dt>
            <dd>${does}</dd>
          </div>
        `
      )}</dl>
      <label class="row small"><input type="checkbox" .checked=${areShortcutsOn()} @change=${(event: Event) =>
        wanted.save((event.target as HTMLInputElement).checked)}>
        ${t.conversations.shortcutsOn}</label>
      <div><button autofocus @click=${() => dialog.close()}>${t.shared.close}</button></div>
    </div>
  `;
}
