import { css } from "lit";

/** The styles of questions and answers. Actions that come later have their place from the start: nothing moves. */
export const messageStyles = css`
  :host {
    display: block;
    background: none;
  }
  article {
    min-width: 0;
  }
  .question {
    display: flex;
    flex-direction: column;
    align-items: flex-end;
  }
  .question .actions {
    margin-block: 0 -1.25rem;
  }
  .actions.later {
    visibility: hidden;
  }
  .author {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    margin-block-end: 0.25rem;
    font-size: 0.875rem;
    overflow-wrap: anywhere;
  }
  .face {
    display: grid;
    place-items: center;
    width: 1.625rem;
    height: 1.625rem;
    border-radius: 50%;
    background: color-mix(in oklab, var(--accent) 14%, var(--surface));
    color: var(--accent);
    font-size: 0.8rem;
  }
  .name {
    min-width: 0;
    font-weight: 600;
  }
  .author .badge {
    flex: initial;
    white-space: normal;
  }
  .answer.expert {
    padding: 0.875rem 1.125rem;
    border: 1px solid color-mix(in oklab, var(--person) 35%, var(--surface));
    border-inline-start: 4px solid var(--person);
    border-radius: var(--radius);
    background: color-mix(in oklab, var(--person) 7%, var(--surface));
  }
  .answer:is(.expert, .pinned) .face {
    background: color-mix(in oklab, var(--person) 18%, var(--surface));
    color: var(--person);
  }
  .author .initials {
    width: 2rem;
    height: 2rem;
    font-size: 0.75rem;
  }
  .quote {
    display: -webkit-box;
    overflow: hidden;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 3;
    margin: 0.25rem 0 0.75rem;
    padding-inline-start: 0.75rem;
    border-inline-start: 3px solid var(--line);
    color: var(--muted);
    font-size: 0.875rem;
    overflow-wrap: anywhere;
  }
  .quote span:first-child {
    font-weight: 600;
  }
  .answer.waiting {
    padding: 0;
    border: 0;
    background: none;
  }
  .text .code {
    position: relative;
  }
  .text .copy {
    position: absolute;
    inset-block-start: 0.25rem;
    inset-inline-end: 0.25rem;
    color: var(--muted);
    font-size: 0.875rem;
  }
  .text .copy.done {
    color: var(--accent);
  }
  .bubble {
    max-width: min(85%, 36rem);
    padding: 0.625rem 1rem;
    border-radius: calc(var(--radius) * 1.5);
    border-end-end-radius: calc(var(--radius) / 3);
    background: var(--raised);
    line-height: 1.5;
  }
  .bubble pre {
    background: var(--surface);
  }
  .bubble:is(.sending, .queued) {
    opacity: 0.65;
  }
  .bubble.unsent {
    border: 1px dashed var(--danger);
    background: none;
  }
  p.waiting {
    display: flex;
    align-items: start;
    gap: 0.5rem;
    margin: 0;
    padding: 0.625rem 0.875rem;
    border: 1px dashed var(--person);
    border-radius: var(--radius);
    color: var(--muted);
    overflow-wrap: anywhere;
  }
  p.waiting svg {
    margin-block-start: 0.125rem;
    color: var(--person);
  }
  .note {
    margin: 0.375rem 0 0;
    color: var(--muted);
    font-size: 0.875rem;
  }
  .note.error {
    color: var(--danger);
  }
  .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    margin-block-start: 0.375rem;
  }
  .actions {
    display: flex;
    align-items: center;
    gap: 0.125rem;
    min-height: 2.25rem;
    margin-block-start: 0.25rem;
    margin-inline: -0.5rem;
    color: var(--muted);
  }
  .actions .icon {
    font-size: 0.875rem;
  }
  .actions [aria-pressed="true"] {
    color: var(--accent);
  }
  .actions [aria-pressed="true"] svg {
    fill: color-mix(in oklab, currentColor 30%, transparent);
  }
  @media (hover: hover) {
    .question .actions {
      opacity: 0;
      transition: opacity 0.15s;
    }
    .question:is(:hover, :focus-within) .actions {
      opacity: 1;
    }
  }
  .editor {
    margin-block-start: 0.5rem;
    padding: 1rem;
    border: 1px solid var(--line);
    border-radius: var(--radius);
  }
  .editor .growing {
    border: 1px solid var(--line);
    border-radius: calc(var(--radius) / 1.5);
  }
  /* The field is cut off by what it grows in, and so would be its outline. */
  .editor .growing:focus-within {
    outline: 2px solid var(--accent);
  }
  .editor .growing > textarea {
    outline: none;
  }
  .editor label {
    display: block;
    margin-block-end: 0.5rem;
    font-weight: 600;
  }
  textarea {
    display: block;
    resize: vertical;
  }
  .dots {
    display: flex;
    gap: 0.3rem;
    padding-block: 0.75rem 0.25rem;
  }
  .dots i {
    width: 0.45rem;
    height: 0.45rem;
    border-radius: 50%;
    background: var(--accent);
    animation: breathe 0.7s ease-in-out infinite alternate;
  }
  @keyframes breathe {
    from {
      opacity: 0.25;
    }
  }
`;
