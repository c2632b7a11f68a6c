import { css } from "lit";

/** Files are a dense list: a line between them instead of a card around each. */
export const filesStyles = css`
  :host {
    min-block-size: 100%;
  }
  ul.list {
    gap: 0;
  }
  ul.list > li {
    border-block-start: 1px solid var(--line);
  }
  ul.list > li:first-child {
    border-block-start: 0;
  }
`;
