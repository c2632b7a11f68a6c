import { css, html, nothing, type TemplateResult } from "lit";
import { initialsOf } from "../../ui/excerpt.ts";
import { t } from "../texts.ts";
import { PersonaPart } from "./persona_part.ts";

/** The picture of a persona, or its initials if it has none. Screen readers have the name beside it. */
export function showFace(name: string, pictureUrl: string | null): TemplateResult {
  if (pictureUrl !== null) return html`<img class="face" src=${pictureUrl} alt="">`;
  return html`<span class="face" aria-hidden="true">${initialsOf(name)}</span>`;
}

/** The styles of a picture: a circle, as in the chat. */
export const faceStyles = css`
  .face {
    display: inline-grid;
    flex: none;
    place-items: center;
    inline-size: 6rem;
    aspect-ratio: 1;
    border-radius: 50%;
    object-fit: cover;
    background: color-mix(in oklab, var(--accent) 18%, var(--surface));
    color: color-mix(in oklab, var(--accent) 75%, var(--text));
    font-size: 2rem;
    font-weight: 600;
  }
`;

/** A preview of the start of a chat, as people see it. */
export class PersonaPreview extends PersonaPart {
  static override styles = [
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
      .list {
        inline-size: 100%;
        margin-block-start: 1.25rem;
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
            <ul class="list">${starters.map((starter) => html`<li dir="auto">${starter}</li>`)}</ul>
          `}
        </div>
      </div>
    `;
  }
}

customElements.define("human-desk-persona-preview", PersonaPreview);
