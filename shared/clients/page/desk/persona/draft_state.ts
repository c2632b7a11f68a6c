import { html, nothing } from "lit";
import { styleSheets } from "../../ui/element.ts";
import "../../ui/confirm_button.ts";
import { formatMoment, formatTime } from "../format.ts";
import { icons } from "../icons.ts";
import { showError } from "../parts/show_state.ts";
import { linkTo } from "../route.ts";
import { fill, t } from "../texts.ts";
import { listChanges, nameOfChange } from "./fields.ts";
import { PersonaPart } from "./persona_part.ts";
import styles from "./draft_state.css" with { type: "text" };

/** The bar above the form: what the draft changes, whether it is saved, and what can be done with it. */
export class DraftState extends PersonaPart {
  static override styles = styleSheets(styles);

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
          ? html`
            <human-confirm question=${t.persona.discardQuestion} confirm=${t.persona.discard}
              ?disabled=${this.isBusy} @confirm=${this.#discard}>${t.persona.discard}</human-confirm>
          `
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
