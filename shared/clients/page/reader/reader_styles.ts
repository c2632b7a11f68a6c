import { css } from "lit";

/** The styles of the reader: a tall window, of which the middle scrolls. */
export const readerStyles = css`
  :host {
    display: contents;
  }
  dialog {
    overflow: hidden;
  }
  @media (min-width: 40.01rem) {
    dialog {
      width: min(46rem, 100vw - 2rem);
    }
  }
  .window {
    display: flex;
    flex-direction: column;
    max-height: inherit;
    padding: 0;
  }
  .head {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr) auto;
    align-items: start;
    gap: 0 0.5rem;
    padding: 1rem 1.25rem;
    overflow-wrap: anywhere;
  }
  .head > svg {
    margin-block-start: 0.1rem;
  }
  .head h2,
  .head p {
    margin: 0;
  }
  .head p {
    grid-column: 2;
    font-size: 0.875rem;
  }
  .head button {
    margin-block: -0.375rem;
    margin-inline: 0 -0.5rem;
  }
  .recognized::before {
    content: "· ";
  }
  .media {
    padding: 0 1.25rem 0.5rem;
  }
  audio,
  video {
    display: block;
    width: 100%;
    max-height: 16rem;
  }
  .minutes {
    display: flex;
    gap: 0.25rem;
    margin-block-start: 0.25rem;
    overflow-x: auto;
  }
  .minutes button,
  .where button {
    min-height: 1.75rem;
    padding: 0 0.5rem;
    font-size: 0.8125rem;
  }
  .body {
    min-height: 0;
    padding: 0.25rem 1.25rem 1.25rem;
    overflow: auto;
    overflow-anchor: none;
  }
  .body:focus-visible {
    outline-width: 1px;
    outline-offset: -1px;
  }
  /* Nothing could be loaded: the focus stays, but shows no empty box. */
  .body:not(:has(*)) {
    padding: 0;
    outline: none;
  }
  .body.tall {
    height: 34rem;
  }
  @media (max-width: 40rem) {
    dialog {
      max-height: calc(100dvh - 2rem);
    }
    .body.tall {
      height: 100dvh;
    }
  }
  .text {
    margin-block: 0.75em;
    color: var(--muted);
  }
  .where + .text {
    margin-block-start: 0;
  }
  .plain {
    white-space: pre-wrap;
    unicode-bidi: plaintext;
  }
  .cited {
    margin-inline: -0.75rem;
    padding: 0.75rem;
    border-inline-start: 3px solid var(--accent);
    border-radius: calc(var(--radius) / 3);
    background: color-mix(in oklab, var(--accent) 12%, var(--surface));
  }
  .cited .text {
    margin: 0;
    color: inherit;
  }
  .where {
    margin: 1.25rem 0 0.375rem !important;
    font-size: 0.8125rem;
    font-weight: 600;
  }
  .body > blockquote {
    margin: 0 0 1rem;
    padding: 0.25rem 1rem;
    border-inline-start: 3px solid var(--accent);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .person > svg {
    color: var(--person);
  }
  .person > blockquote {
    border-color: var(--person);
  }
  .more {
    display: flex;
    margin: 0.5rem auto;
  }
  .foot,
  .trouble {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: flex-end;
    gap: 0.5rem 0.75rem;
    padding: 0.625rem 1.25rem;
    border-block-start: 1px solid var(--line);
    font-size: 0.875rem;
  }
  .trouble {
    justify-content: space-between;
  }
  .trouble p {
    margin: 0;
  }
  .foot a {
    color: var(--accent);
  }
  .steps {
    display: flex;
    align-items: center;
    gap: 0.25rem;
    margin-inline: -0.5rem auto;
  }
  [aria-disabled="true"] {
    opacity: 0.55;
  }
`;
