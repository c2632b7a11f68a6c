import { css } from "lit";

/** A conversation that scrolls between its title and the field to answer in person. */
export const conversationStyles = css`
  :host {
    display: grid;
    grid-template: auto auto minmax(0, 1fr) auto / minmax(0, 1fr);
    block-size: 100%;
    min-block-size: 0;
    container-type: inline-size;
  }
  header {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    padding: 0.75rem 1rem;
    border-block-end: 1px solid var(--line);
  }
  header > div {
    min-inline-size: 0;
  }
  header bdi {
    overflow-wrap: anywhere;
  }
  h2 {
    overflow: hidden;
    font-size: 1.0625rem;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  header .back {
    display: grid;
    place-items: center;
    inline-size: 2.25rem;
    block-size: 2.25rem;
    color: inherit;
  }
  @container desk (min-width: 56rem) {
    header .back {
      display: none;
    }
  }
  .log {
    display: flex;
    flex-direction: column-reverse;
    padding: 1rem;
    overflow-y: auto;
    overscroll-behavior: contain;
  }
  .said {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 1rem;
    margin-block-end: auto;
  }
  .typing:not(:empty) {
    padding: 0 1rem 0.25rem;
  }
  .log:focus-visible {
    outline-offset: -2px;
  }
  @container (min-width: 38rem) {
    header {
      padding: 1rem 1.5rem;
    }
    .log {
      padding: 1.25rem 1.5rem;
    }
  }
`;
