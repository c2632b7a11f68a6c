import { css } from "lit";

/** The layout of panels, rows, lists and cards. */
export const layoutStyles = css`
  :host {
    display: block;
    background: none;
  }
  ul.list,
  ol.list {
    display: grid;
    gap: 0.75rem;
    padding: 0;
    list-style: none;
  }
  h2 {
    font-size: 1.375rem;
    line-height: 1.25;
    letter-spacing: -0.01em;
  }
  h3 {
    font-size: 1rem;
    line-height: 1.4;
  }
  a {
    color: var(--accent);
    text-underline-offset: 0.15em;
  }
  .panel {
    max-inline-size: 60rem;
    padding: 1rem;
  }
  @container desk (min-width: 56rem) {
    .panel {
      padding: 1.5rem 2rem 3rem;
    }
  }
  .empty {
    display: grid;
    gap: 0.25rem;
    justify-items: center;
    padding: 3rem 1rem;
    border: 1px dashed var(--line);
    border-radius: var(--radius);
    text-align: center;
    text-wrap: balance;
  }
  .empty > p {
    max-inline-size: 32rem;
  }
  .stack {
    display: grid;
    gap: 1rem;
    grid-template-columns: minmax(0, 1fr);
  }
  .stack.tight {
    gap: 0.5rem;
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem;
  }
  .facts {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.25rem 0.75rem;
  }
  .row.spread {
    justify-content: space-between;
  }
  .card {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.5rem;
    padding: 1rem;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--surface);
  }
  @container desk (min-width: 44rem) {
    .card.split {
      grid-template-columns: minmax(0, 1fr) fit-content(50%);
      align-items: start;
      column-gap: 1.5rem;
    }
    .card.split > .wide,
    .card.split > :has(> [open]) {
      grid-column: 1 / -1;
    }
  }
  .small {
    font-size: 0.875rem;
  }
  .tag {
    display: inline-flex;
    align-items: center;
    gap: 0.3em;
    padding: 0.05rem 0.5rem;
    border-radius: 1rem;
    background: var(--raised);
    color: var(--muted);
    font-size: 0.8125rem;
    white-space: nowrap;
  }
  .tag svg {
    width: 1em;
    height: 1em;
  }
  .tag.ai {
    background: color-mix(in oklab, var(--accent) 14%, var(--surface));
    color: color-mix(in oklab, var(--accent) 70%, var(--text));
  }
  .tag.person {
    background: color-mix(in oklab, var(--person) 16%, var(--surface));
    color: color-mix(in oklab, var(--person) 75%, var(--text));
  }
  .tag.danger {
    background: color-mix(in oklab, var(--danger) 12%, var(--surface));
    color: color-mix(in oklab, var(--danger) 85%, var(--text));
  }
  .versions {
    margin-block-start: 0.75rem;
  }
`;
