import { css, html, nothing } from "lit";
import { deskStyles } from "../desk_part.ts";
import { t } from "../texts.ts";
import { showFace } from "./show_face.ts";
import { faceStyles } from "./show_face.ts";
import { PersonaPart } from "./persona_part.ts";

/** A preview of the start of a chat, as people see it. */
export class PersonaPreview extends PersonaPart {
  static override styles = [
    deskStyles,
    faceStyles,
    css`
      .chat {
        display: grid;
        justify-items: center;
        padding: 1.5rem 1rem;
        border: 1px solid var(--line);
        border-radius: var(--radius);
        background: var(--surface);
        text-align: center;
        overflow-wrap: anywhere;
      }
      .face {
        inline-size: 4.5rem;
        font-size: 1.5rem;
      }
      .name {
        margin-block-start: 0.75rem;
        font-size: 1.25rem;
        font-weight: 600;
        line-height: 1.25;
      }
      .greeting {
        margin-block-start: 1rem;
        white-space: pre-wrap;
      }
      ul {
        display: grid;
        gap: 0.5rem;
        inline-size: 100%;
        margin-block-start: 1.25rem;
        padding: 0;
        list-style: none;
      }
      li {
        padding: 0.5rem 0.75rem;
        border: 1px solid var(--line);
        border-radius: var(--radius);
        font-size: 0.9375rem;
        text-align: start;
      }
    `,
  ];

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
            <ul>${starters.map((starter) => html`<li dir="auto">${starter}</li>`)}</ul>
          `}
        </div>
      </div>
    `;
  }
}

customElements.define("human-desk-persona-preview", PersonaPreview);
