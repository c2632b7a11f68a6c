import { css, html, type TemplateResult } from "lit";
import { initialsOf } from "../../ui/excerpt.ts";

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
