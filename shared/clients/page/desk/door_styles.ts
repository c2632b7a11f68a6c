import { css } from "lit";

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
