import { html, nothing } from "lit";
import { type Fields, type Property } from "../../ui/element.ts";
import { DeskPart } from "../desk_part.ts";
import { linkTo, type Route } from "../route.ts";
import { t } from "../texts.ts";
import "../notices/notices_view.ts";
import "./acts.ts";
import "./colleagues.ts";
import "./invitations.ts";

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
        ${isNotices ? html`<human-desk-notices .desk=${this.desk}></human-desk-notices>` : this.#renderTeam()}
      </section>
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
