import { html, nothing, type PropertyValues } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { type Property, styleSheets } from "../../ui/element.ts";
import { formatMoment, formatTime } from "../format.ts";
import { icons } from "../icons.ts";
import { showError, showLoading, showTabs } from "../parts/show_state.ts";
import { linkTo, type Route } from "../route.ts";
import { keepSaved } from "../state/shared_draft.ts";
import { fill, t } from "../texts.ts";
import "./draft_meanwhile.ts";
import { listChanges, nameOfChange, textOf } from "./fields.ts";
import "./persona_form.ts";
import { PersonaPart } from "./persona_part.ts";
import "./persona_preview.ts";
import "./publish_draft.ts";
import "./versions.ts";
import stateStyles from "./draft_state.css" with { type: "text" };
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

/** The bar above the form: what the draft changes, whether it is saved, and what can be done with it. */
export class DraftState extends PersonaPart {
  static override styles = styleSheets(stateStyles);

  override render() {
    const { draft } = this;
    const { changes, published, saveError } = draft;
    const hasChanges = changes.length > 0;
    const isPublished = !hasChanges && this.wasPublished;
    return html`
      <div class="bar raised row spread" role="group" aria-label=${t.persona.draft}>
        <div class="what">
          <p class="facts small">
            <span class="tag ${isPublished ? "ai" : "person"}">${isPublished
              ? t.persona.published
              : t.persona.draft}</span>
            <span class="muted" role="status">${this.#describeSaving()}</span>
          </p>
          ${hasChanges
            ? html`<p class="small">${fill(t.persona.notPublished, { fields: listChanges(changes) })}</p>`
            : nothing}
          ${this.wasPublished ? nothing : html`<p class="small">${t.persona.neverPublished}</p>`}
          ${draft.missing.length === 0 ? nothing : html`
            <p class="small error">${fill(t.persona.missing, {
              fields: draft.missing.map(nameOfChange).join(", "),
            })}</p>
          `}
          ${saveError === null ? nothing : html`
            ${showError(saveError, () => draft.save())}
            <p class="small muted">${t.persona.keptHere}</p>
          `}
          ${showError(this.action.error)}
        </div>
        ${isPublished || published === null ? nothing : this.#renderActions(hasChanges)}
      </div>
    `;
  }

  #renderActions(hasChanges: boolean) {
    return html`
      <div class="row">
        ${this.mayEdit && hasChanges
          ? this.confirmButton(t.persona.discard, t.persona.discardQuestion, this.#discard)
          : nothing}
        <a class="button small" href=${linkTo("try")}>${icons.try} ${t.persona.tryIt}</a>
        ${this.mayEdit
          ? html`<a class="button small primary" href=${linkTo("persona", "publish")}>${t.persona.check}</a>`
          : nothing}
      </div>
    `;
  }

  #describeSaving(): string {
    const { draft } = this;
    if (draft.saving === "failed") return t.persona.notSaved;
    if (draft.saving !== "saved") return t.parts.saving;
    if (draft.changes.length === 0) {
      if (!this.wasPublished) return "";
      const { version, published_at } = draft.published!;
      return fill(t.persona.publishedSince, { version, time: formatTime(published_at) });
    }
    const { saved_at } = draft.draft!;
    return saved_at === null ? "" : fill(t.persona.savedAt, { time: formatMoment(saved_at) });
  }

  #discard = async (): Promise<void> => {
    const isDone = await this.run(() => this.draft.discard());
    if (isDone) this.say(t.persona.discarded);
  };
}

customElements.define("human-desk-draft-state", DraftState);
