import { css, html, nothing } from "lit";
import type { WatchedEvent } from "../../../client/watch.ts";
import type { PropertyValues } from "lit";
import type { Schemas } from "../desk.ts";
import { DeskPart, deskStyles } from "../desk_part.ts";
import { formatMoment, formatTime, namePerson } from "../format.ts";
import { icons } from "../icons.ts";
import { concernsOf } from "../concerns.ts";
import { linkTo } from "../route.ts";
import { coalesce } from "../state/coalesce.ts";
import { Loading } from "../state/work.ts";
import { t } from "../texts.ts";

/** The most people that are shown; the list of conversations has all of them. */
const mostPeople = 5;

/** The people who wait for an answer in person, with what they have asked; nothing if nobody does. */
export class WaitingPeople extends DeskPart {
  static override styles = [
    deskStyles,
    css`
      /* Without anybody, it takes no room. */
      :host {
        display: contents;
      }
      ul {
        display: grid;
        gap: 0.5rem;
        margin: 0;
        padding: 0;
        list-style: none;
      }
      a {
        display: grid;
        grid-template-columns: auto 1fr auto;
        align-items: center;
        gap: 0.25rem 0.75rem;
        padding: 0.75rem 1rem;
        border: 1px solid color-mix(in oklab, var(--person) 40%, var(--surface));
        border-inline-start: 4px solid var(--person);
        border-radius: var(--radius);
        background: color-mix(in oklab, var(--person) 6%, var(--surface));
        color: inherit;
        text-decoration: none;
      }
      a > svg:last-child:dir(rtl) {
        scale: -1 1;
      }
      a > svg:first-child {
        color: var(--person);
      }
      .asked {
        display: -webkit-box;
        overflow: hidden;
        -webkit-box-orient: vertical;
        -webkit-line-clamp: 2;
        font-weight: 600;
        overflow-wrap: anywhere;
      }
    `,
  ];

  #waiting = this.use(
    new Loading<Schemas["ConversationList"]>((signal) => {
      const { client, coach } = this.desk;
      return client.listConversations(coach.id, { needs_reply: "true", limit: mostPeople }, { signal });
    }),
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
        <ul>
          ${data.map((conversation) => {
            const { id, title, request, needs_reply_at } = conversation;
            const since = request?.asked_at ?? needs_reply_at!;
            return html`
              <li><a href=${linkTo("conversations", id)}>
                ${icons.person}
                <span>
                  <span class="asked" dir="auto">${request?.question ?? title}</span>
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
