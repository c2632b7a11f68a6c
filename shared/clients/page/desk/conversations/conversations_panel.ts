import { html, nothing, type PropertyValues } from "lit";
import { keyed } from "lit/directives/keyed.js";
import type { WatchedEvent } from "../../../client/watch.ts";
import { theme } from "../../ui/theme.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { deskStyles } from "../desk_styles.ts";
import { formatMoment, formatTime, formatUser } from "../format.ts";
import { icons } from "../icons.ts";
import { showEmpty } from "../parts/empty.ts";
import { searchField } from "../parts/search_field.ts";
import { showList } from "../parts/show_list.ts";
import { linkTo, type Route } from "../route.ts";
import { coalesce } from "../state/coalesce.ts";
import { PagedList } from "../state/paged_list.ts";
import { conversationsStyles } from "./conversations_styles.ts";
import "./conversation.ts";

type Conversation = Schemas["Conversation"];

/** What was said with the persona: a list that filters narrow down, and beside it the conversation that is open. */
export class ConversationsPanel extends DeskPart {
  static override styles = [theme, deskStyles, conversationsStyles];
  static override properties = { route: { attribute: false } };

  declare route: Route;
  #list = new PagedList<Conversation>(this, (page, signal) => {
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
  });
  // Whatever happens in any conversation may change their order.
  #refresh = coalesce(async () => this.isConnected && await this.#list.refresh(), 4_000);

  override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get("route");
    if (changed.has("desk") || before?.filters.toString() !== this.route.filters.toString() && changed.has("route")) {
      void this.#list.restart();
    }
  }

  protected override heard({ kind }: WatchedEvent): void {
    if (kind !== "question.opened") this.#refresh();
  }

  override render() {
    const { id } = this.route;
    return html`
      <div class="split ${id === null ? "" : "open"}">
        <section class="aside stack" aria-labelledby="title">
          <h2 id="title">Conversations</h2>
          ${this.#renderFilters()}
          ${showList(this.#list, {
            name: "Conversations",
            key: (conversation) => conversation.id,
            item: (conversation) => this.#renderItem(conversation),
            empty: this.route.filters.size > 0
              ? showEmpty("Nothing matches", "No conversation fits these filters.")
              : showEmpty("No conversations yet", "What people ask the persona appears here as it happens."),
          })}
        </section>
        ${id === null
          ? html`<p class="nothing muted">Open a conversation to read it, correct an answer, or answer in person.</p>`
          : this.#renderConversation(id)}
      </div>
    `;
  }

  #renderConversation(id: string) {
    const back = linkTo("conversations", null, this.route.filters);
    // An element of its own for each: words that are meant for one person must not stay in the field for another.
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
      <div class="stack tight" role="group" aria-label="Which conversations">
        ${searchField({
          label: "Search in titles and messages",
          value: filters.get("search") ?? "",
          search: (words) => this.#filter("search", words),
        })}
        <div class="row">${toggle("waiting", "Needs a reply")} ${toggle("down", "Thumbs down")}</div>
        <details ?open=${filters.has("from") || filters.has("to")}>
          <summary class="small muted">Days</summary>
          <div class="row">${day("from", "From")} ${day("to", "To")}</div>
        </details>
      </div>
    `;
  }

  #renderItem({ id, title, user_id, updated_at, ...state }: Conversation) {
    return html`
      <a class="item" href=${linkTo("conversations", id, this.route.filters)}
        aria-current=${id === this.route.id ? "true" : nothing}>
        <span class="title">${title}</span>
        <span class="row small muted">
          <span>${formatUser(user_id)}</span><span>·</span>
          <time datetime=${updated_at} title=${formatTime(updated_at)}>${formatMoment(updated_at)}</time>
          ${state.needs_reply_at === null ? nothing : html`<span class="tag person">waits for you</span>`}
          ${state.handled_by === "ai" ? nothing : html`<span class="tag person">${icons.person} you answer</span>`}
          ${state.has_down ? html`<span class="tag danger">${icons.down} thumbs down</span>` : nothing}
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

customElements.define("human-desk-conversations", ConversationsPanel);
