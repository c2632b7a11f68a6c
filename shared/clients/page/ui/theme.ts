/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { css } from "lit";

/**
 * The colors, sizes and common styles of all elements. A site sets `--human-chat-…` on the element. The names without a
 * prefix are for the styles of the element itself. Each color has a light and a dark form. That of a coach is made lighter
 * for a dark background, and text on it is black or white. `color-scheme` selects one, by
 * default that of the browser.
 */
export const theme = css`
  :host {
    --accent: var(
      --human-chat-accent,
      light-dark(var(--coach-accent, #0f6b5c), oklch(from var(--coach-accent, #58c9b2) 0.767 c h))
    );
    --on-accent: var(
      --human-chat-on-accent,
      light-dark(oklch(from var(--coach-accent, #0f6b5c) clamp(0, (0.68 - l) * 1000, 1) 0 0), #06231d)
    );
    --surface: var(--human-chat-surface, light-dark(#ffffff, #16191b));
    --raised: var(--human-chat-raised, light-dark(#f3f5f4, #1f2426));
    --text: var(--human-chat-text, light-dark(#1a2422, #e7ecea));
    --muted: var(--human-chat-muted, light-dark(#55625f, #a3afac));
    --line: var(--human-chat-line, light-dark(#d6dddb, #363d40));
    --danger: var(--human-chat-danger, light-dark(#a3242b, #ff9a94));
    --person: var(--human-chat-person, light-dark(#7a4a00, #f0b95c));
    --radius: var(--human-chat-radius, 0.75rem);
    --font: var(--human-chat-font, system-ui, sans-serif);

    color-scheme: var(--human-chat-color-scheme, light dark);
    box-sizing: border-box;
    color: var(--text);
    background: var(--surface);
    font-family: var(--font);
    font-size: var(--human-chat-font-size, 1rem);
    line-height: 1.5;
  }
  *,
  *::before,
  *::after {
    box-sizing: inherit;
  }
  [hidden] {
    display: none !important;
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  button,
  input,
  textarea,
  select {
    font: inherit;
    color: inherit;
  }
  button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 0.4em;
    min-height: 2.25rem;
    padding: 0.25rem 0.75rem;
    border: 1px solid var(--line);
    border-radius: calc(var(--radius) / 1.5);
    background: var(--surface);
    cursor: pointer;
  }
  button:hover:not(:disabled) {
    background: var(--raised);
  }
  button:disabled {
    cursor: default;
    opacity: 0.55;
  }
  button.primary {
    border-color: transparent;
    background: var(--accent);
    color: var(--on-accent);
  }
  button.primary:hover:not(:disabled) {
    background: color-mix(in oklab, var(--accent) 88%, var(--text));
  }
  button.plain {
    border-color: transparent;
    background: none;
  }
  button.icon {
    min-width: 2.25rem;
    padding: 0.25rem;
  }
  input,
  textarea,
  select {
    width: 100%;
    padding: 0.5rem 0.75rem;
    border: 1px solid var(--line);
    border-radius: calc(var(--radius) / 1.5);
    background: var(--surface);
  }
  .muted {
    color: var(--muted);
  }
  .error {
    color: var(--danger);
  }
  mark {
    border-radius: 0.2em;
    background: color-mix(in oklab, var(--accent) 24%, transparent);
    color: inherit;
  }
  .excerpt {
    display: -webkit-box;
    overflow: hidden;
    color: var(--muted);
    font-size: 0.8125rem;
    font-weight: 400;
    line-height: 1.4;
    overflow-wrap: anywhere;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 3;
  }
  .visually-hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  svg {
    flex: none;
    width: 1.25em;
    height: 1.25em;
  }
  .pointing:dir(rtl) {
    scale: -1 1;
  }
  @media (prefers-reduced-motion: reduce) {
    * {
      animation: none !important;
      transition: none !important;
      scroll-behavior: auto !important;
    }
  }
`;
