import { css } from "lit";

/** The styles of the list of threads. */
export const sideBarStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    min-height: 0;
    background: none;
  }
  .top {
    display: grid;
    gap: 0.625rem;
    padding: 1rem 0.875rem 0.5rem;
  }
  .new {
    min-height: 2.5rem;
  }
  .search {
    position: relative;
  }
  .search svg {
    position: absolute;
    inset-block: 0;
    inset-inline-start: 0.75rem;
    margin-block: auto;
    color: var(--muted);
    font-size: 0.875rem;
    pointer-events: none;
  }
  .search input {
    padding-inline-start: 2.25rem;
  }
  .list {
    flex: 1;
    min-height: 0;
    overflow-y: auto;
    padding: 0.25rem 0.5rem 1rem;
  }
  .list h2 {
    margin: 0.75rem 0.75rem 0.25rem;
    color: var(--muted);
    font-size: 0.75rem;
    font-weight: 600;
  }
  ul {
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .empty {
    margin: 1rem 0.75rem;
    color: var(--muted);
    font-size: 0.875rem;
  }
  .wide {
    width: 100%;
    color: var(--muted);
    font-size: 0.875rem;
  }
  .foot {
    display: grid;
    gap: 0.5rem;
    padding: 0.75rem 1.25rem 1rem;
    border-block-start: 1px solid var(--line);
    font-size: 0.8125rem;
  }
  .foot p {
    margin: 0;
    overflow-wrap: anywhere;
  }
  .foot div {
    display: flex;
    flex-wrap: wrap;
    gap: 0.375rem;
  }
  .foot button {
    min-height: 2rem;
  }
  ::slotted(*) {
    color: var(--muted);
  }
`;
