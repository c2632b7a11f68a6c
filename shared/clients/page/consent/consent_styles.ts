import { css } from "lit";

/** The styles of the consent page: one column in the middle. */
export const consentStyles = css`
  :host {
    display: block;
  }
  main {
    display: grid;
    place-items: center;
    min-block-size: 100dvh;
    padding: 2rem 1.25rem;
  }
  main > div {
    display: grid;
    gap: 1.25rem;
    inline-size: min(26rem, 100%);
  }
  h1 {
    margin: 0;
    font-size: 1.625rem;
    line-height: 1.25;
    letter-spacing: -0.02em;
    overflow-wrap: anywhere;
  }
  h1:focus {
    outline: none;
  }
  h2 {
    margin: 0 0 0.5rem;
    font-size: 1rem;
  }
  p,
  ul,
  dl,
  dd {
    margin: 0;
    overflow-wrap: anywhere;
  }
  ul.may {
    display: grid;
    gap: 0.35rem;
    padding-inline-start: 1.25rem;
  }
  dl {
    display: grid;
    gap: 0.75rem;
    padding: 1rem;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--raised);
  }
  dt {
    color: var(--muted);
    font-size: 0.875rem;
  }
  dd {
    font-weight: 600;
  }
  dd.hint {
    color: var(--muted);
    font-size: 0.875rem;
    font-weight: 400;
  }
  ul.list {
    display: grid;
    gap: 0.5rem;
    padding: 0;
    list-style: none;
  }
  ul.list > li.app {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0.5rem 1rem;
    padding: 0.75rem 1rem;
    border: 1px solid var(--line);
    border-radius: var(--radius);
  }
  li.app > span {
    display: grid;
    min-inline-size: 0;
  }
  strong {
    overflow-wrap: anywhere;
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    gap: 0.75rem;
  }
  .row > button {
    flex: 1 1 9rem;
    min-block-size: 2.75rem;
  }
  .wide,
  a.wide {
    inline-size: 100%;
    min-block-size: 2.75rem;
  }
  a.wide {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    padding: 0.25rem 0.75rem;
    border-radius: calc(var(--radius) / 1.5);
    background: var(--accent);
    color: var(--on-accent);
    text-decoration: none;
  }
  a {
    color: var(--accent);
  }
  .small {
    font-size: 0.875rem;
  }
  button.link {
    min-block-size: 0;
    padding: 0;
    border: 0;
    background: none;
    color: var(--accent);
    text-decoration: underline;
  }
`;
