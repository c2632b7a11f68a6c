import { html } from "lit";
import { type Fields, type Property } from "../../ui/element.ts";
import { DeskPart } from "../desk_part.ts";
import type { Route } from "../route.ts";

/** The panel of the persona itself: its draft, and its versions. */
export class PersonaPanel extends DeskPart {
  static override properties = { route: {} as Property<Route> };

  override render() {
    return html`<section class="panel stack" aria-labelledby="title"><h2 id="title">Persona</h2></section>`;
  }
}

export interface PersonaPanel extends Fields<typeof PersonaPanel.properties> {}

customElements.define("human-desk-persona", PersonaPanel);
