import { html } from "lit";
import { DeskPart } from "../desk_part.ts";

/** The first panel: what waits, what has changed, and how the persona did. */
export class OverviewPanel extends DeskPart {
  override render() {
    return html`
      <section class="panel stack" aria-labelledby="title">
        <h2 id="title">Overview</h2>
      </section>
    `;
  }
}

customElements.define("human-desk-overview", OverviewPanel);
