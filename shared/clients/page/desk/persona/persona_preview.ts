import { html, nothing, type TemplateResult } from "lit";
import { styleSheets } from "../../ui/element.ts";
import { initialsOf } from "../../ui/excerpt.ts";
import { t } from "../texts.ts";
import { PersonaPart } from "./persona_part.ts";
import faceStyles from "./face.css" with { type: "text" };
import styles from "./persona_preview.css" with { type: "text" };

/** The picture of a persona, or its initials if it has none. Screen readers have the name beside it. */
export function showFace(name: string, pictureUrl: string | null): TemplateResult {
  if (pictureUrl !== null) return html`<img class="face" src=${pictureUrl} alt="">`;
  return html`<span class="face" aria-hidden="true">${initialsOf(name)}</span>`;
}

/** A preview of the start of a chat, as people see it. */
export class PersonaPreview extends PersonaPart {
  static override styles = styleSheets(faceStyles, styles);

  override render() {
    const { shown, draft } = this.draft;
    if (shown === null || draft === null) return nothing;
    const starters = shown.starters.filter((starter) => starter.trim() !== "");
    return html`
      <div class="stack tight" role="group" aria-label=${t.persona.preview}>
        <p class="hint">${t.persona.preview}</p>
        <div class="chat">
          ${showFace(shown.name, draft.picture_url)}
          <p class="name"><bdi>${shown.name}</bdi></p>
          <p class="muted"><bdi>${shown.title}</bdi></p>
          ${shown.greeting?.trim() ? html`<p class="greeting" dir="auto">${shown.greeting.trim()}</p>` : nothing}
          ${starters.length === 0 ? nothing : html`
            <ul class="list">${starters.map((starter) => html`<li dir="auto">${starter}</li>`)}</ul>
          `}
        </div>
      </div>
    `;
  }
}

customElements.define("human-desk-persona-preview", PersonaPreview);
