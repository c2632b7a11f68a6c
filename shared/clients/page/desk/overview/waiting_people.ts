import { html, nothing, type PropertyValues } from "lit";
import { styleSheets } from "../../ui/element.ts";
import type { WatchedEvent } from "../../../client/watch.ts";
import { DeskPart } from "../desk_part.ts";
import { formatMoment, formatTime, namePerson } from "../format.ts";
import { icons } from "../icons.ts";
import { concernsOf } from "../state/coach_feed.ts";
import { linkTo } from "../route.ts";
import { coalesce } from "../state/coalesce.ts";
import { Loading } from "../state/work.ts";
import { t } from "../texts.ts";
import styles from "./waiting_people.css" with { type: "text" };

/** The most people that are shown; the list of conversations has all of them. */
const mostPeople = 5;

/** The people who wait for an answer in person, with what they have asked; nothing if nobody does. */
export class WaitingPeople extends DeskPart {
  static override styles = styleSheets(styles);

  #waiting = this.use(
    new Loading((options) =>
      this.client.listConversations(this.coachId, { needs_reply: "true", limit: mostPeople }, options)
    ),
  );
  #refresh = coalesce(async () => this.isConnected && await this.#waiting.load(), 2_000);

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("desk")) this.#refresh();
  }

  protected override heard(event: WatchedEvent): void {
    // It has been read when the desk begins to watch.
    const isNews = event.kind !== "watching" && concernsOf(event).waiting;
    if (isNews || event.kind === "message.completed" && this.#waiting.value?.count) this.#refresh();
  }

  override render() {
    const { data = [] } = this.#waiting.value ?? {};
    if (data.length === 0) return nothing;
    return html`
      <section class="stack tight" aria-labelledby="waiting">
        <h3 id="waiting">${t.overview.waitInPerson}</h3>
        <ul class="list">
          ${data.map((conversation) => {
            const { id, title, request, needs_reply_at } = conversation;
            const since = request?.asked_at ?? needs_reply_at!;
            return html`
              <li><a href=${linkTo("conversations", id)}>
                ${icons.person}
                <span>
                  <span class="asked clamp text" dir="auto">${request?.question ?? title}</span>
                  <span class="small muted"><bdi>${namePerson(conversation)}</bdi> ·
                    <time datetime=${since} title=${formatTime(since)}>${formatMoment(since)}</time></span>
                </span>
                ${icons.next}
              </a></li>
            `;
          })}
        </ul>
      </section>
    `;
  }
}

customElements.define("human-desk-waiting-people", WaitingPeople);
