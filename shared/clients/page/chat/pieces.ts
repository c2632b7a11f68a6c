import { html, nothing, type TemplateResult } from "lit";
import { initialsOf } from "../ui/excerpt.ts";

/** The styles that several elements of the chat share. */
export { default as pieceStyles } from "./pieces.css" with { type: "text" };

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
