import { css } from "lit";

/** A column of names beside the panel; on narrow screens a bar below it, with a menu of those that have no room there. */
export const frameStyles = css`
  :host {
    display: block;
    block-size: 100%;
  }
  .frame {
    position: relative;
    display: grid;
    grid-template: "who nav-end" auto "main main" minmax(0, 1fr) "nav nav" auto / fit-content(60%) minmax(0, 1fr);
    block-size: 100%;
  }
  header {
    grid-area: who;
    padding: 0.625rem 1rem;
  }
  h1 {
    margin: 0;
    font-size: 1.0625rem;
    line-height: 1.3;
  }
  footer {
    grid-area: nav-end;
    display: flex;
    flex-wrap: wrap;
    place-content: center end;
    align-items: center;
    gap: 0 0.75rem;
    padding-inline-end: 0.75rem;
    font-size: 0.875rem;
  }
  header,
  footer {
    border-block-end: 1px solid var(--line);
  }
  nav {
    position: relative;
    z-index: 2;
    grid-area: nav;
    display: flex;
    justify-content: space-between;
    padding: 0.25rem 0.375rem max(0.25rem, env(safe-area-inset-bottom));
    border-block-start: 1px solid var(--line);
    background: var(--surface);
  }
  nav a,
  .more {
    position: relative;
    display: flex;
    flex-direction: column;
    align-items: center;
    justify-content: start;
    gap: 0.1rem;
    min-inline-size: 0;
    min-block-size: 2.75rem;
    padding: 0.35rem 0.2rem;
    border: 0;
    border-radius: 0.5rem;
    background: none;
    color: var(--muted);
    font-size: 0.6875rem;
    line-height: 1.5;
    text-decoration: none;
  }
  nav a > span:not(.count),
  .more > span {
    max-inline-size: 100%;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  nav a[aria-current],
  .more[data-current],
  .more[aria-expanded="true"] {
    color: var(--accent);
    font-weight: 600;
  }
  .rest {
    position: absolute;
    inset-block-end: 100%;
    inset-inline: 0;
    display: none;
    grid-template-columns: repeat(3, minmax(0, 1fr));
    gap: 0.25rem;
    padding: 0.75rem;
    border-block-start: 1px solid var(--line);
    border-start-start-radius: var(--radius);
    border-start-end-radius: var(--radius);
    background: var(--surface);
    box-shadow: 0 -0.5rem 1.5rem rgb(0 0 0 / 18%);
  }
  .rest.open {
    display: grid;
  }
  .rest a {
    padding-block: 0.75rem;
    font-size: 0.8125rem;
  }
  .quiet {
    padding: 0;
  }
  .count {
    position: absolute;
    inset-block-start: 0.1rem;
    inset-inline-start: calc(50% + 0.4rem);
    padding: 0 0.35em;
    border-radius: 1em;
    background: var(--accent);
    color: var(--on-accent);
    font-size: 0.6875rem;
    font-weight: 600;
    line-height: 1.5;
  }
  main {
    grid-area: main;
    overflow: auto;
    outline: none;
    overscroll-behavior: contain;
  }
  /* At the top, where panels have their titles; what is below it can be reached all the same. */
  .notice {
    grid-area: main;
    place-self: start center;
    pointer-events: none;
    z-index: 1;
    max-inline-size: 24rem;
    margin: 0.75rem 1rem;
    padding: 0.6rem 1rem;
    border-radius: var(--radius);
    background: var(--text);
    color: var(--surface);
    box-shadow: 0 0.5rem 1.5rem rgb(0 0 0 / 25%);
  }
  .notice button {
    pointer-events: auto;
    margin-inline-start: 0.75rem;
    color: inherit;
    text-decoration: underline;
  }
  .notice:empty {
    opacity: 0;
  }
  @container desk (min-width: 56rem) {
    .frame {
      grid-template: "who main" auto "nav main" 1fr "nav-end main" auto / 14rem minmax(0, 1fr);
    }
    header,
    nav,
    footer {
      border-inline-end: 1px solid var(--line);
      background: var(--raised);
    }
    /* As a badge, which it is not on a background of its own color. */
    header .tag {
      background: var(--surface);
    }
    header {
      padding: 1.25rem 1.25rem 0.75rem;
      border-block-end: 0;
    }
    footer {
      flex-direction: column;
      flex-wrap: nowrap;
      align-items: start;
      gap: 0.25rem;
      padding: 1rem 1.25rem;
      border-block-end: 0;
    }
    nav {
      display: flex;
      flex-direction: column;
      justify-content: start;
      gap: 0.125rem;
      padding: 0.5rem 0.75rem;
      border-block-start: 0;
      overflow-y: auto;
    }
    .more {
      display: none;
    }
    .rest,
    .rest.open {
      display: contents;
    }
    nav a,
    .rest a {
      flex-direction: row;
      align-items: center;
      gap: 0.65rem;
      min-block-size: 0;
      padding: 0.5rem;
      font-size: 0.9375rem;
    }
    nav a:hover {
      color: var(--text);
    }
    nav a[aria-current] {
      background: var(--surface);
      box-shadow: 0 0 0 1px var(--line);
    }
    .count {
      position: static;
      margin-inline-start: auto;
      font-size: 0.8125rem;
    }
  }
`;

/** The styles of the screens before the desk: one column in the middle. */
export const doorStyles = css`
  :host {
    display: block;
    container: desk / inline-size;
    min-block-size: 24rem;
    background: var(--surface);
    overflow: hidden;
  }
  human-desk-frame {
    block-size: 100%;
  }
  .door {
    display: grid;
    place-items: center;
    min-block-size: 100%;
    padding: 2rem 1.25rem;
  }
  .door > .stack {
    inline-size: min(24rem, 100%);
  }
  h1 {
    margin: 0;
    font-size: 1.75rem;
    line-height: 1.2;
    letter-spacing: -0.02em;
  }
  ::slotted(*) {
    color: var(--accent);
  }
  .choice {
    inline-size: 100%;
    justify-content: start;
    min-block-size: 3.25rem;
  }
`;
