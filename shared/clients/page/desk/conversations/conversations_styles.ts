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
  .item bdi {
    overflow-wrap: anywhere;
  }
  .item.new .title {
    font-weight: 700;
  }
  .item.new .title::before {
    content: "";
    display: inline-block;
    inline-size: 0.5rem;
    block-size: 0.5rem;
    margin-inline: 0.125rem 0.25rem;
    border-radius: 50%;
    background: var(--accent);
    vertical-align: middle;
  }
  .done {
    gap: 0.75rem;
    display: grid;
    justify-items: center;
    padding-block: 2rem;
    text-align: center;
  }
  .done svg {
    inline-size: 3.5rem;
    block-size: 3.5rem;
    padding: 0.75rem;
    border-radius: 50%;
    background: color-mix(in oklab, var(--accent) 14%, var(--surface));
    color: var(--accent);
  }
  dialog {
    inline-size: min(24rem, calc(100vw - 2rem));
    padding: 1.25rem;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--surface);
    color: inherit;
  }
  .keys {
    display: grid;
    gap: 0.375rem;
    margin: 0;
  }
  .keys > div {
    display: grid;
    grid-template-columns: 2.5rem 1fr;
    align-items: baseline;
  }
  .keys dd {
    margin: 0;
  }
  kbd {
    padding: 0.125rem 0.4rem;
    border: 1px solid var(--line);
    border-radius: 0.25rem;
    background: var(--raised);
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
