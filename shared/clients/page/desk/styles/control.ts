import { css } from "lit";

/** The styles of buttons and fields. */
export const controlStyles = css`
  label.field {
    display: grid;
    gap: 0.25rem;
    font-size: 0.875rem;
    font-weight: 600;
  }
  label.field > input,
  label.field > textarea,
  label.field > select {
    font-size: 1rem;
    font-weight: 400;
  }
  label.check {
    display: flex;
    align-items: baseline;
    gap: 0.5rem;
  }
  input[type="checkbox"],
  input[type="radio"] {
    width: auto;
    flex: none;
    accent-color: var(--accent);
  }
  progress {
    accent-color: var(--accent);
  }
  .row > progress {
    flex: 1;
    min-inline-size: 4rem;
  }
  textarea {
    field-sizing: content;
    min-block-size: 2.75rem;
    max-block-size: 24rem;
    resize: none;
  }
  @supports not (field-sizing: content) {
    textarea {
      min-block-size: 4.5rem;
      resize: vertical;
    }
  }
  textarea.tall {
    min-block-size: 8rem;
  }
  .toggles {
    display: inline-flex;
    flex-wrap: wrap;
    gap: 0.25rem;
    padding: 0.2rem;
    border-radius: calc(var(--radius) / 1.25);
    background: var(--raised);
  }
  .toggles > a,
  .toggles > button {
    min-block-size: 2rem;
    padding: 0.25rem 0.75rem;
    border: 0;
    border-radius: calc(var(--radius) / 1.75);
    background: none;
    color: var(--muted);
    font-size: 0.9375rem;
    text-decoration: none;
  }
  .toggles > [aria-current],
  .toggles > [aria-pressed="true"] {
    background: var(--surface);
    color: var(--text);
    box-shadow: 0 0 0 1px var(--line);
  }
  a.button {
    display: inline-flex;
    align-items: center;
    gap: 0.4em;
    min-block-size: 2.25rem;
    padding: 0.25rem 0.75rem;
    border: 1px solid var(--line);
    border-radius: calc(var(--radius) / 1.5);
    color: var(--text);
    text-decoration: none;
  }
  a.button:hover {
    background: var(--raised);
  }
  a.back {
    display: inline-flex;
    gap: 0.25rem;
    color: var(--muted);
    text-decoration: none;
  }
  a.title {
    color: inherit;
    text-decoration: none;
  }
  a.title:hover {
    text-decoration: underline;
  }
  .toggle {
    white-space: nowrap;
  }
  .toggle[aria-pressed="true"] {
    border-color: var(--accent);
    background: color-mix(in oklab, var(--accent) 12%, var(--surface));
    color: color-mix(in oklab, var(--accent) 70%, var(--text));
  }
  .nowrap {
    flex-wrap: nowrap;
  }
  .search {
    flex: 1;
  }
  button.small,
  .button.small {
    min-block-size: 2rem;
    padding: 0.15rem 0.6rem;
    font-size: 0.875rem;
  }
  .quiet {
    padding: 0 0.25rem;
    border: 0;
    min-block-size: 2rem;
    background: none;
    color: var(--accent);
    font-size: 0.875rem;
  }
`;
