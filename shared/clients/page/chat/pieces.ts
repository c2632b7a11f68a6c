import { css, html, nothing, type TemplateResult } from "lit";
import { initialsOf } from "../ui/excerpt.ts";

/** The picture of a coach in a circle, or the initials of the name: without a picture, and where it cannot be loaded. */
export function face({ name, picture_url }: { name: string; picture_url?: string | null }): TemplateResult {
  const hide = ({ target }: Event) => (target as HTMLElement).remove();
  return html`
    <span class="initials" aria-hidden="true">${initialsOf(name)}${picture_url
      ? html`<img src=${picture_url} alt="" loading="lazy" @error=${hide}>`
      : nothing}</span>
  `;
}

let inPerson: Promise<unknown> | null = null;

/** Loads the script of what people who ask in person see. Where it cannot be loaded, it is tried again in a minute. */
export function loadInPerson(): void {
  inPerson ??= import(new URL("human-chat-in-person.js", import.meta.url).href)
    .catch(() => setTimeout(() => inPerson = null, 60_000));
}

/** The styles that several elements of the chat share: initials, badges, marks of news, choices, and a field that grows with its text. */
export const pieceStyles = css`
  .initials {
    position: relative;
    display: inline-grid;
    flex: none;
    overflow: hidden;
    place-items: center;
    width: 2.5rem;
    height: 2.5rem;
    border-radius: 50%;
    background: color-mix(in oklab, var(--accent) 18%, var(--surface));
    color: color-mix(in oklab, var(--accent) 75%, var(--text));
    font-size: 0.9375rem;
    font-weight: 600;
  }
  .initials img {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    object-fit: cover;
  }
  .badge {
    display: inline-flex;
    flex: none;
    align-items: center;
    gap: 0.25rem;
    padding: 0.0625rem 0.5rem;
    border: 1px solid var(--line);
    border-radius: 1rem;
    color: var(--muted);
    font-size: 0.75rem;
    font-weight: 600;
    white-space: nowrap;
  }
  .badge svg {
    width: 1rem;
    height: 1rem;
  }
  .badge.person {
    border-color: currentColor;
    color: var(--person);
  }
  .unread {
    flex: none;
    padding: 0 0.5rem;
    border-radius: 1rem;
    background: var(--accent);
    color: var(--on-accent);
    font-size: 0.75rem;
    font-weight: 600;
  }
  .choices {
    display: grid;
    gap: 0.625rem;
    width: 100%;
    max-width: 34rem;
    margin: 2rem auto 0;
    padding: 0;
    list-style: none;
  }
  .choices button {
    flex-wrap: wrap;
    justify-content: flex-start;
    gap: 0.875rem;
    width: 100%;
    padding: 0.75rem 1rem;
    border-radius: var(--radius);
    text-align: start;
    overflow-wrap: anywhere;
  }
  .growing {
    display: grid;
    flex: 1;
    min-width: 0;
    max-height: min(14rem, 35vh);
    overflow-y: auto;
  }
  .growing > * {
    grid-area: 1 / 1;
    padding: 0.5rem 0.75rem;
    border: 0;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .growing > div {
    visibility: hidden;
  }
  .growing > textarea {
    overflow: hidden;
    background: none;
    resize: none;
  }
`;
