import { css, html, type TemplateResult } from "lit";

/** The first letters of a name, in a circle: the service has no pictures of its coaches. */
export function face(name: string): TemplateResult {
  const words = name.split(/\s+/).filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => word ? [...word][0] : "");
  return html`<span class="initials" aria-hidden="true">${letters.join("").toUpperCase()}</span>`;
}

/** What the beginning of a conversation looks like. */
export const welcomeStyles = css`
  .initials {
    display: inline-grid;
    flex: none;
    place-items: center;
    width: 2.5rem;
    height: 2.5rem;
    border-radius: 50%;
    background: linear-gradient(
      135deg,
      color-mix(in oklab, var(--accent) 26%, var(--surface)),
      color-mix(in oklab, var(--accent) 12%, var(--surface))
    );
    color: color-mix(in oklab, var(--accent) 75%, var(--text));
    font-size: 0.9375rem;
    font-weight: 600;
    letter-spacing: 0.02em;
  }
  .welcome {
    padding-block: clamp(1rem, 8vh, 5rem) 1rem;
    text-align: center;
  }
  .welcome .initials {
    width: 4.5rem;
    height: 4.5rem;
    font-size: 1.5rem;
  }
  .welcome h2 {
    margin: 1rem 0 0;
    font-size: 1.5rem;
    font-weight: 600;
    letter-spacing: -0.01em;
    line-height: 1.25;
    overflow-wrap: anywhere;
  }
  .welcome p {
    margin: 0.25rem 0 0;
  }
  .welcome .greeting {
    max-width: 34rem;
    margin: 1.5rem auto 0;
    font-size: 1.125rem;
    line-height: 1.55;
    overflow-wrap: anywhere;
    white-space: pre-wrap;
  }
  .starters {
    display: grid;
    gap: 0.625rem;
    max-width: 34rem;
    margin: 2rem auto 0;
    padding: 0;
    list-style: none;
  }
  .starters button {
    justify-content: flex-start;
    width: 100%;
    padding: 0.75rem 1rem;
    border-radius: var(--radius);
    text-align: start;
    overflow-wrap: anywhere;
  }
  .starters button:hover:not(:disabled) {
    border-color: color-mix(in oklab, var(--accent) 45%, var(--line));
  }
`;
