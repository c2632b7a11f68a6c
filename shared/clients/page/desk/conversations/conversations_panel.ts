import { html, nothing, type PropertyValues } from "lit";
import { keyed } from "lit/directives/keyed.js";
import type { WatchedEvent } from "../../../client/watch.ts";
import { type Fields, type Property } from "../../ui/element.ts";
import { markWords, showExcerpt } from "../../ui/excerpt.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart, deskStyles } from "../desk_part.ts";
import { formatMoment, formatTime, formatUser } from "../format.ts";
import { icons } from "../icons.ts";
import { searchField } from "../parts/search_field.ts";
import { showEmpty, showList } from "../parts/show_list.ts";
import { concernsOf } from "../concerns.ts";
import { linkTo, type Route } from "../route.ts";
import { coalesce } from "../state/coalesce.ts";
import { PagedList } from "../state/paged_list.ts";
import { t } from "../texts.ts";
import { conversationsStyles } from "./conversations_styles.ts";
import "./conversation.ts";

type Conversation = Schemas["Conversation"];

/** The panel of conversations: a list with filters, and the open conversation beside it. */
export class ConversationsPanel extends DeskPart {
  static override styles = [deskStyles, conversationsStyles];
  static override properties = { route: {} as Property<Route> };

  #list = this.use(
    new PagedList<Conversation>((page, signal) => {
      const { filters } = this.route;
      const valueOf = (name: string) => filters.get(name) || undefined;
      const query = {
        search: valueOf("search"),
        has_feedback: filters.has("down") ? "down" as const : undefined,
        needs_reply: filters.has("waiting") ? "true" as const : undefined,
        from: valueOf("from"),
        to: valueOf("to"),
      };
      return this.desk.client.listConversations(this.desk.coach.id, { ...query, ...page }, { signal });
    }),
  );
  #refresh = coalesce(async () => this.isConnected && await this.#list.load(), 4_000);

  override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get("route");
    if (changed.has("desk") || before?.filters.toString() !== this.route.filters.toString() && changed.has("route")) {
      void this.#list.restart();
    }
  }

  protected override heard(event: WatchedEvent): void {
    if (concernsOf(event).conversations) this.#refresh();
  }

  override render() {
    const { id } = this.route;
    return html`
      <div class="split ${id === null ? "" : "open"}">
        <section class="aside stack" aria-labelledby="title">
          <h2 id="title">${t.conversations.title}</h2>
          ${this.#renderFilters()}
          ${showList(this.#list, {
            name: t.conversations.title,
            key: (conversation) => conversation.id,
            item: (conversation) => this.#renderItem(conversation),
            empty: this.route.filters.size > 0
              ? showEmpty(t.conversations.noneFound, t.conversations.noMatch)
              : showEmpty(t.conversations.empty, t.conversations.emptyHint),
          })}
        </section>
        ${id === null ? html`<p class="nothing muted">${t.conversations.select}</p>` : this.#renderConversation(id)}
      </div>
    `;
  }

  #renderConversation(id: string) {
    const back = linkTo("conversations", null, this.route.filters);
    // Each conversation has an element of its own, so that a draft for one person never appears for another.
    return keyed(
      id,
      html`
        <human-desk-conversation .desk=${this.desk} .threadId=${id} .back=${back}></human-desk-conversation>
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
        </div>
        <details ?open=${filters.has("from") || filters.has("to")}>
          <summary class="small muted">${t.conversations.dates}</summary>
          <div class="row">${day("from", t.conversations.from)} ${day("to", t.conversations.to)}</div>
        </details>
      </div>
    `;
  }

  #renderItem({ id, title, user_id, updated_at, excerpt, ...state }: Conversation) {
    return html`
      <a class="item" href=${linkTo("conversations", id, this.route.filters)}
        aria-current=${id === this.route.id ? "true" : nothing}>
        <span class="title">${markWords(title, excerpt)}</span>
        ${showExcerpt(title, excerpt)}
        <span class="row small muted">
          <span>${formatUser(user_id)}</span><span>·</span>
          <time datetime=${updated_at} title=${formatTime(updated_at)}>${formatMoment(updated_at)}</time>
          ${state.needs_reply_at === null ? nothing : html`
            <span class="tag person">${t.conversations.waitingForYou}</span>
          `}
          ${state.handled_by === "ai"
            ? nothing
            : html`<span class="tag person">${icons.person} ${t.conversations.youAreAnswering}</span>`}
          ${state.has_down ? html`<span class="tag danger">${icons.down} ${t.conversations.tagDown}</span>` : nothing}
        </span>
      </a>
    `;
  }

  #filter(name: string, value: string): void {
    const filters = new URLSearchParams(this.route.filters);
    if (value === "") filters.delete(name);
    else filters.set(name, value);
    location.hash = linkTo("conversations", this.route.id, filters);
  }
}

export interface ConversationsPanel extends Fields<typeof ConversationsPanel.properties> {}

customElements.define("human-desk-conversations", ConversationsPanel);
