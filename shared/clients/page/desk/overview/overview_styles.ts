import { css } from "lit";

/** The styles of the overview: lists of links, and the figures of a week. */
export const overviewStyles = css`
  .links {
    display: grid;
    padding: 0;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--surface);
    list-style: none;
    overflow: hidden;
  }
  .links > li + li {
    border-block-start: 1px solid var(--line);
  }
  .links :is(a, p) {
    display: flex;
    align-items: center;
    gap: 0.75rem;
    padding: 0.75rem 1rem;
    color: var(--text);
    text-decoration: none;
  }
  .links a:hover {
    background: var(--raised);
  }
  .links a:focus-visible {
    outline-offset: -2px;
  }
  .links svg {
    color: var(--muted);
  }
  .links .urgent svg:first-child {
    color: var(--person);
  }
  .links .failed svg:first-child {
    color: var(--danger);
  }
  .links .text {
    flex: 1;
    min-inline-size: 0;
  }
  .links a > svg:last-child {
    inline-size: 1rem;
    block-size: 1rem;
  }
  :host(:dir(rtl)) .links a > svg:last-child {
    rotate: 180deg;
  }
  .panel {
    gap: 1.5rem;
  }
  .week {
    display: grid;
    grid-template-columns: repeat(2, minmax(0, 1fr));
    gap: 0.75rem;
  }
  @container desk (min-width: 40rem) {
    .week {
      grid-template-columns: repeat(3, minmax(0, 1fr));
    }
  }
  .week > div {
    display: grid;
    align-content: start;
    padding: 0.75rem 1rem;
    border: 1px solid var(--line);
    border-radius: var(--radius);
  }
  .week dd {
    display: grid;
  }
  .number {
    font-size: 1.5rem;
    font-weight: 650;
    line-height: 1.3;
    letter-spacing: -0.02em;
    font-variant-numeric: tabular-nums;
  }
`;
