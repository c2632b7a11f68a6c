import { css } from "lit";

/** The list beside the conversation; on narrow screens one of them. */
export const conversationsStyles = css`
  :host,
  .split {
    block-size: 100%;
  }
  .aside {
    align-content: start;
    padding: 1rem;
  }
  .split.open > .aside,
  .nothing {
    display: none;
  }
  .day {
    flex: 1 1 8rem;
  }
  ul.list {
    gap: 0.125rem;
    margin-inline: -0.5rem;
  }
  .item {
    display: grid;
    gap: 0.125rem;
    padding: 0.5rem 0.625rem;
    border-radius: calc(var(--radius) / 1.5);
    color: inherit;
    text-decoration: none;
  }
  .item:hover {
    background: var(--raised);
  }
  .item[aria-current] {
    background: color-mix(in oklab, var(--accent) 10%, var(--surface));
  }
  .title {
    display: -webkit-box;
    overflow: hidden;
    overflow-wrap: anywhere;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
  }
  .item .row {
    gap: 0.35rem;
  }
  @container desk (min-width: 56rem) {
    .split {
      display: grid;
      grid-template-columns: 21rem minmax(0, 1fr);
    }
    .aside,
    .split.open > .aside {
      display: grid;
      padding: 1.5rem 1.25rem;
      border-inline-end: 1px solid var(--line);
      overflow-y: auto;
    }
    .nothing {
      display: block;
      place-self: center;
      max-inline-size: 22rem;
      padding: 2rem;
      text-align: center;
      text-wrap: balance;
    }
  }
`;
