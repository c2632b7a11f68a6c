import { css } from "lit";

/** The layout: the list of threads is beside the conversation if there is room, and otherwise in a drawer. */
export const layout = css`
  :host {
    position: relative;
    display: block;
    height: 40rem;
    overflow: hidden;
    container-type: inline-size;
  }
  .frame {
    display: grid;
    grid-template: minmax(0, 1fr) / minmax(0, 1fr);
    height: 100%;
  }
  .main {
    display: flex;
    flex-direction: column;
    min-width: 0;
    min-height: 0;
    height: 100%;
  }
  human-chat-messages {
    flex: 1;
  }
  aside {
    position: absolute;
    inset-block: 0;
    inset-inline-start: 0;
    z-index: 3;
    display: flex;
    width: min(20rem, 86%);
    border-inline-end: 1px solid var(--line);
    background: var(--raised);
    visibility: hidden;
    opacity: 0;
  }
  aside.open {
    visibility: visible;
    opacity: 1;
    transition: opacity 0.15s;
    box-shadow: 0 0.5rem 2rem rgb(0 0 0 / 0.2);
  }
  human-chat-side {
    flex: 1;
    min-width: 0;
  }
  .scrim {
    position: absolute;
    inset: 0;
    z-index: 2;
    background: rgb(10 20 18 / 0.45);
    visibility: hidden;
  }
  aside.open + .scrim {
    visibility: visible;
  }
  header {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    min-height: 4rem;
    padding: 0.5rem 0.75rem;
    border-block-end: 1px solid var(--line);
  }
  header:not(:has(.whom)) {
    border-color: transparent;
  }
  .middle :is(h1, h2) {
    font-size: 1.375rem;
    font-weight: 600;
  }
  .whom {
    flex: auto;
    min-width: 0;
    line-height: 1.3;
  }
  .whom :is(h1, h2, p) {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    margin: 0;
    font-size: 1rem;
    font-weight: 600;
  }
  .whom p {
    margin-block-start: 0.125rem;
    font-size: 0.8125rem;
    font-weight: 400;
  }
  .whom bdi {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .change {
    flex-shrink: 9;
    padding-inline: 0.25rem;
    color: var(--muted);
    font-size: 0.875rem;
    line-height: 1.2;
    white-space: normal;
  }
  .banner {
    display: flex;
    align-items: center;
    justify-content: center;
    gap: 0.5rem;
    margin: 0;
    padding: 0.5rem 1rem;
    background: color-mix(in oklab, var(--person) 14%, var(--surface));
    font-size: 0.875rem;
    text-align: center;
    overflow-wrap: anywhere;
  }
  .banner.error {
    background: color-mix(in oklab, var(--danger) 12%, var(--surface));
  }
  .banner .icon {
    min-height: 1.75rem;
    min-width: 1.75rem;
  }
  .middle {
    display: flex;
    flex: 1;
    flex-direction: column;
    align-items: center;
    justify-content: safe center;
    gap: 1rem;
    width: min(34rem, 100%);
    min-height: 0;
    margin-inline: auto;
    padding: 1.5rem;
    overflow: auto;
    text-align: center;
  }
  .middle :is(h1, h2, p) {
    margin: 0;
    line-height: 1.4;
    overflow-wrap: anywhere;
  }
  .middle .buttons {
    justify-content: center;
    margin: 0;
  }
  .choices span:nth-child(2) {
    display: grid;
    flex: 1 1 7rem;
    justify-items: start;
    min-width: 0;
    line-height: 1.35;
  }
  .other {
    display: grid;
    margin-block: 1rem 0 !important;
  }
  .change svg {
    display: none;
  }
  @container (max-width: 40rem) {
    .change {
      flex: none;
      min-width: 2.25rem;
    }
    .change svg {
      display: block;
    }
    .change span:not(.unread) {
      position: absolute;
      clip-path: inset(50%);
    }
  }
  @container (max-width: 24rem) {
    header .initials {
      display: none;
    }
  }
  @container (min-width: 52rem) {
    .frame {
      grid-template-columns: 18rem minmax(0, 1fr);
    }
    aside {
      position: static;
      width: auto;
      visibility: visible;
      opacity: 1;
      box-shadow: none !important;
    }
    .scrim,
    .menu,
    header .new {
      display: none;
    }
    header {
      padding-inline: 1.25rem;
    }
  }
`;
