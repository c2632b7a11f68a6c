import { css, html, nothing, type PropertyValues } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { type Fields, type Property } from "../../ui/element.ts";
import { tellDesk } from "../desk.ts";
import { deskStyles } from "../desk_part.ts";
import { showError } from "../parts/show_error.ts";
import { linkTo, type Route } from "../route.ts";
import { keepSaved } from "../state/shared_draft.ts";
import { t } from "../texts.ts";
import "./draft_state.ts";
import "./draft_meanwhile.ts";
import { nameOfChange, textOf } from "./field_words.ts";
import "./persona_form.ts";
import { PersonaPart } from "./persona_part.ts";
import "./persona_preview.ts";
import "./publish_draft.ts";
import "./version_view.ts";
import "./versions_list.ts";

/** The panel of the persona itself: its draft, what is checked before it is published, and the versions. */
export class PersonaPanel extends PersonaPart {
  static override styles = [
    deskStyles,
    css`
      /* On a small screen, it would hide too much of the form. */
      @container desk (min-width: 44rem) {
        human-desk-draft-state {
          position: sticky;
          inset-block-start: 0;
          z-index: 1;
        }
      }
    `,
  ];
  static override properties = { route: {} as Property<Route> };

  constructor() {
    super();
    keepSaved(this, () => this.draft);
  }

  override willUpdate(changed: PropertyValues): void {
    if (!changed.has("desk")) return;
    this.draft.onFailure = (error) => tellDesk(this, "failure", error);
    void this.draft.load();
  }

  override render() {
    const { id, filters } = this.route;
    const version = id === "history" ? Number(filters.get("version")) : 0;
    if (version > 0) {
      const view = html`
        <human-desk-version .desk=${this.desk} .number=${version} .isAgainstNow=${filters.has(
          "now",
        )}></human-desk-version>
      `;
      return keyed(version, view);
    }
    if (id === "publish") return html`<human-desk-publish .desk=${this.desk}></human-desk-publish>`;
    const isHistory = id === "history";
    return html`
      <section class="panel stack" aria-labelledby="title">
        <div class="row spread">
          <h2 id="title" tabindex="-1">${t.persona.title}</h2>
          <nav class="toggles" aria-label=${t.persona.parts}>
            <a href=${linkTo("persona")} aria-current=${isHistory ? nothing : "true"}>${t.persona.edit}</a>
            <a href=${linkTo("persona", "history")} aria-current=${isHistory ? "true" : nothing}>${t.persona
              .history}</a>
          </nav>
        </div>
        ${isHistory ? html`<human-desk-versions .desk=${this.desk}></human-desk-versions>` : this.#renderDraft()}
      </section>
    `;
  }

  #renderDraft() {
    const { shown, error } = this.draft;
    if (shown === null) {
      return error === null
        ? html`<p class="muted" role="status">${t.persona.loading}</p>`
        : showError(error, () => this.draft.load());
    }
    return html`
      <human-desk-draft-state .desk=${this.desk}></human-desk-draft-state>
      <human-desk-draft-meanwhile .desk=${this.desk} .draft=${this.draft} .nameOf=${nameOfChange}
        .textOf=${textOf}></human-desk-draft-meanwhile>
      <human-desk-persona-form .desk=${this.desk}></human-desk-persona-form>
    `;
  }
}

export interface PersonaPanel extends Fields<typeof PersonaPanel.properties> {}

customElements.define("human-desk-persona", PersonaPanel);
