import { html } from "lit";
import { type Fields, type Property } from "../../ui/element.ts";
import { DeskPart } from "../desk_part.ts";
import type { Route } from "../route.ts";

/** The panel of the experts who share a persona. */
export class TeamPanel extends DeskPart {
  static override properties = { route: {} as Property<Route> };

  override render() {
    return html`
      <section class="panel stack" aria-labelledby="title">
        <h2 id="title">Team</h2>
      </section>
    `;
  }
}

export interface TeamPanel extends Fields<typeof TeamPanel.properties> {}

customElements.define("human-desk-team", TeamPanel);
