import { css } from "lit";

/** The styles of texts, quotes and Markdown. Texts of people have the direction of their own language. */
export const proseStyles = css`
  h2,
  h3,
  h4,
  p,
  ul,
  ol,
  dl,
  dd,
  blockquote,
  figure {
    margin: 0;
  }
  .text {
    overflow-wrap: anywhere;
  }
  h2,
  h3,
  textarea,
  blockquote,
  .text,
  .pre,
  .title,
  .markdown :is(p, li, h3, h4, h5, h6) {
    unicode-bidi: plaintext;
    text-align: start;
  }
  .pre {
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .hint {
    color: var(--muted);
    font-size: 0.875rem;
    font-weight: 400;
  }
  .clamp {
    display: -webkit-box;
    overflow: hidden;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
  }
  summary {
    cursor: pointer;
  }
  blockquote {
    padding-inline-start: 0.75rem;
    border-inline-start: 3px solid var(--line);
    overflow-wrap: anywhere;
  }
  .markdown {
    overflow-wrap: anywhere;
  }
  .markdown > :first-child {
    margin-block-start: 0;
  }
  .markdown > :last-child {
    margin-block-end: 0;
  }
  .markdown p,
  .markdown ul,
  .markdown ol,
  .markdown blockquote,
  .markdown pre,
  .markdown table {
    margin-block: 0.5em;
  }
  .markdown ul,
  .markdown ol {
    padding-inline-start: 1.4em;
  }
  .markdown pre,
  .markdown table {
    display: block;
    max-inline-size: 100%;
    overflow-x: auto;
  }
  .markdown code {
    font-size: 0.9em;
  }
  .markdown th,
  .markdown td {
    padding: 0.2em 0.6em;
    border: 1px solid var(--line);
  }
`;
