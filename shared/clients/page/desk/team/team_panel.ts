import { html, nothing, type PropertyValues } from "lit";
import type { Fields, Property } from "../../ui/element.ts";
import { DeskPart } from "../desk_part.ts";
import { linkTo, type Route } from "../route.ts";
import { t } from "../texts.ts";
import "../notices/browser_switch.ts";
import "../notices/mail_form.ts";
import "./acts.ts";
import "./invitations.ts";
import type { Schemas } from "../desk.ts";
import { showList } from "../parts/show_list.ts";
import { PagedList } from "../state/paged_list.ts";
import "./colleague.ts";
import "./own_face.ts";

/** The experts of a persona, in the order in which they came. */
class Colleagues extends DeskPart {
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
      <div class="stack">
        ${list}
        <human-desk-own-face .desk=${this.desk} @saved=${() => void this.#list.load()}></human-desk-own-face>
      </div>
    `;
  }

  #onDone = ({ detail }: CustomEvent<string>): void => {
    this.say(detail);
    void this.#list.load();
  };
}

customElements.define("human-desk-colleagues", Colleagues);

/** The panel of the experts who share a persona, and of how each of them is told what happens. */
export class TeamPanel extends DeskPart {
  static override properties = { route: {} as Property<Route> };

  override render() {
    const isNotices = this.route.id === "notices";
    return html`
      <section class="panel stack" aria-labelledby="title">
        <div class="row spread">
          <h2 id="title" tabindex="-1">${isNotices ? t.notices.title : t.team.title}</h2>
          <nav class="toggles" aria-label=${t.team.title}>
            <a href=${linkTo("team")} aria-current=${isNotices ? nothing : "true"}>${t.team.colleagues}</a>
            <a href=${linkTo("team", "notices")} aria-current=${isNotices ? "true" : nothing}>${t.notices.title}</a>
          </nav>
        </div>
        ${isNotices ? this.#renderNotices() : this.#renderTeam()}
      </section>
    `;
  }

  /** The choices of what the expert is told by email and in this browser. */
  #renderNotices() {
    return html`
      <div class="stack">
        <human-desk-mail .desk=${this.desk}></human-desk-mail>
        <human-desk-browser-switch .desk=${this.desk}></human-desk-browser-switch>
      </div>
    `;
  }

  #renderTeam() {
    return html`
      <human-desk-colleagues .desk=${this.desk}></human-desk-colleagues>
      ${this.desk.role === "owner"
        ? html`
          <human-desk-invitations .desk=${this.desk}></human-desk-invitations>
          <human-desk-acts .desk=${this.desk}></human-desk-acts>
        `
        : html`<p class="muted">${t.team.onlyOwners}</p>`}
    `;
  }
}

export interface TeamPanel extends Fields<typeof TeamPanel.properties> {}

customElements.define("human-desk-team", TeamPanel);
