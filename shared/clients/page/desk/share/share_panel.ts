import { html, nothing, type PropertyValues } from "lit";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { showError } from "../parts/show_error.ts";
import { Loading } from "../state/work.ts";
import { fill, t } from "../texts.ts";
import "./share_address.ts";
import "./share_end.ts";
import "./share_settings.ts";

/** The panel with the address of a persona: to give it away, to change how it looks, to pause it and to end it. */
export class SharePanel extends DeskPart {
  #settings = this.use(
    new Loading<Schemas["CoachSettings"]>((signal) => this.desk.client.getSettings(this.desk.coach.id, { signal })),
  );

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.get("desk")?.coach !== this.desk.coach && changed.has("desk")) {
      if (this.desk.role !== "answerer") void this.#settings.load();
    }
  }

  override render() {
    const { desk } = this;
    const { coach } = desk;
    const settings = this.#settings.value;
    return html`
      <section class="panel stack" aria-labelledby="title">
        <h2 id="title" tabindex="-1">${t.share.title}</h2>
        ${coach.slug === null
          ? html`<p>${fill(t.share.unpublished, { name: coach.name })}</p>`
          : html`<human-desk-share-address .desk=${desk}></human-desk-share-address>`}
        ${showError(this.#settings.error)}
        ${settings && coach.slug !== null
          ? html`
            <human-desk-share-settings .desk=${desk} .settings=${settings} @saved=${this
              .#onSaved}></human-desk-share-settings>
          `
          : nothing}
        ${desk.role === "owner" ? html`<human-desk-share-end .desk=${desk}></human-desk-share-end>` : nothing}
      </section>
    `;
  }

  #onSaved = ({ detail }: CustomEvent<Schemas["CoachSettings"]>): void => {
    this.#settings.value = detail;
    this.requestUpdate();
  };
}

customElements.define("human-desk-share", SharePanel);
