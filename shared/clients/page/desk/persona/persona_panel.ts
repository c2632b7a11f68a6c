import { html, nothing, type PropertyValues } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { type Property, styleSheets } from "../../ui/element.ts";
import { showLoading, showTabs } from "../parts/show_state.ts";
import { linkTo, type Route } from "../route.ts";
import { keepSaved } from "../state/shared_draft.ts";
import { t } from "../texts.ts";
import "./draft_state.ts";
import "./draft_meanwhile.ts";
import { nameOfChange, textOf } from "./fields.ts";
import "./persona_form.ts";
import { PersonaPart } from "./persona_part.ts";
import "./persona_preview.ts";
import "./publish_draft.ts";
import "./versions.ts";
import styles from "./persona_panel.css" with { type: "text" };

/** The panel of the persona itself: its draft, what is checked before it is published, and the versions. */
export class PersonaPanel extends PersonaPart.with({ route: {} as Property<Route> }) {
  static override styles = styleSheets(styles);

  constructor() {
    super();
    keepSaved(this, () => this.draft);
  }

  override willUpdate(changed: PropertyValues): void {
    if (!changed.has("desk")) return;
    this.draft.onFailure = (error) => this.failed(error);
    void this.draft.load();
  }

  override render() {
    const { id, filters } = this.route;
    const version = id === "history" ? Number(filters.get("version")) : 0;
    if (version > 0) {
      const isAgainstNow = filters.has("now");
      const view = html`
        <human-desk-version .desk=${this.desk} .number=${version} .isAgainstNow=${isAgainstNow}></human-desk-version>
      `;
      return keyed(version, view);
    }
    if (id === "publish") return html`<human-desk-publish .desk=${this.desk}></human-desk-publish>`;
    const isHistory = id === "history";
    return html`
      <section class="panel stack" aria-labelledby="title">
        <div class="row spread">
          <h2 id="title" tabindex="-1">${t.persona.title}</h2>
          ${showTabs(t.persona.parts, [
            [linkTo("persona"), t.parts.edit, !isHistory],
            [linkTo("persona", "history"), t.persona.history, isHistory],
          ])}
        </div>
        ${isHistory ? html`<human-desk-versions .desk=${this.desk}></human-desk-versions>` : this.#renderDraft()}
      </section>
    `;
  }

  #renderDraft() {
    const { desk, draft } = this;
    const show = () =>
      html`
        <human-desk-draft-state .desk=${desk}></human-desk-draft-state>
        <human-desk-draft-meanwhile .desk=${desk} .draft=${draft} .nameOf=${nameOfChange}
          .textOf=${textOf}></human-desk-draft-meanwhile>
        <human-desk-persona-form .desk=${desk}></human-desk-persona-form>
      `;
    return showLoading(draft, show, draft.shown === null ? undefined : nothing);
  }
}

customElements.define("human-desk-persona", PersonaPanel);
