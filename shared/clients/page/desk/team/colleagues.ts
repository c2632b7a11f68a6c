import { html, type PropertyValues } from "lit";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { showList } from "../parts/show_list.ts";
import { PagedList } from "../state/paged_list.ts";
import { t } from "../texts.ts";
import "./colleague.ts";
import "./own_face.ts";

/** The experts of a persona, in the order in which they came. */
export class Colleagues extends DeskPart {
  #list = this.use(
    new PagedList<Schemas["Expert"]>((page, signal) =>
      this.desk.client.listExperts(this.desk.coach.id, page, { signal })
    ),
  );

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("desk")) void this.#list.load();
  }

  override render() {
    const owners = this.#list.items?.filter(({ role }) => role === "owner").length ?? 0;
    const list = showList(this.#list, {
      name: t.team.colleagues,
      key: ({ user_id }) => user_id,
      item: (expert) =>
        html`
          <human-desk-colleague .desk=${this.desk} .expert=${expert}
            .isLastOwner=${expert.role === "owner" && owners === 1} @done=${this.#onDone}></human-desk-colleague>
        `,
      // There is always whoever reads it.
      empty: html``,
    });
    return html`
      ${list}
      <human-desk-own-face .desk=${this.desk} @saved=${() => void this.#list.load()}></human-desk-own-face>
    `;
  }

  #onDone = ({ detail }: CustomEvent<string>): void => {
    this.say(detail);
    void this.#list.load();
  };
}

customElements.define("human-desk-colleagues", Colleagues);
