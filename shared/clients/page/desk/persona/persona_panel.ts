/// <reference lib="dom" />
import { css, html, nothing, type PropertyValues } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { type Fields, type Property } from "../../ui/element.ts";
import { tellDesk } from "../desk.ts";
import { deskStyles } from "../desk_part.ts";
import { showError } from "../parts/show_error.ts";
import { linkTo, type Route } from "../route.ts";
import { t } from "../texts.ts";
import "./draft_state.ts";
import "./draft_meanwhile.ts";
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

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("visibilitychange", this.#onVisibility);
    addEventListener("online", this.#onOnline);
    addEventListener("beforeunload", this.#onUnload);
    this.draft.enter();
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("visibilitychange", this.#onVisibility);
    removeEventListener("online", this.#onOnline);
    removeEventListener("beforeunload", this.#onUnload);
    void this.draft.leave();
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
      <human-desk-draft-meanwhile .desk=${this.desk}></human-desk-draft-meanwhile>
      <human-desk-persona-form .desk=${this.desk}></human-desk-persona-form>
    `;
  }

  /** The page may be closed after it was hidden. When it is seen again, a colleague may have changed the draft. */
  #onVisibility = (): void => {
    if (document.visibilityState === "hidden") void this.draft.save();
    else void this.draft.load();
  };
  /** The browser asks before it closes the tab, which is all that has what could not be saved. */
  #onUnload = (event: Event): void => {
    if (this.draft.saving === "failed") event.preventDefault();
  };
  #onOnline = (): void => void this.draft.load();
}

export interface PersonaPanel extends Fields<typeof PersonaPanel.properties> {}

customElements.define("human-desk-persona", PersonaPanel);
