import { css } from "lit";

/** The styles of a text in Markdown. */
export const textStyles = css`
  .text {
    overflow-wrap: anywhere;
    line-height: 1.65;
  }
  .text :is(p, ul, ol, pre, blockquote, table) {
    margin-block: 0.75em;
  }
  .text :is(h3, h4, h5, h6) {
    margin-block: 1.25em 0.5em;
    font-size: 1.0625rem;
    line-height: 1.35;
  }
  :is(.text, .text blockquote) > :first-child {
    margin-block-start: 0;
  }
  :is(.text, .text blockquote) > :last-child {
    margin-block-end: 0;
  }
  .text :is(ul, ol) {
    padding-inline-start: 1.5em;
  }
  /* Each paragraph has the direction of its own words. */
  .text :is(p, li, pre, h3, h4, h5, h6, th, td) {
    unicode-bidi: plaintext;
  }
  .text a {
    color: var(--accent);
  }
  .text :is(pre, code) {
    font-family: ui-monospace, monospace;
    font-size: 0.875em;
    white-space: pre-wrap;
  }
  .text li.task {
    list-style: none;
    margin-inline-start: -1.25em;
  }
  .text li.task > p {
    margin: 0;
  }
  .text pre {
    padding: 0.75rem 1rem;
    padding-inline-end: 2.75rem;
    border-radius: var(--radius);
    background: var(--raised);
  }
  .text pre code {
    font-size: 1em;
  }
  .text .hljs-comment {
    color: var(--muted);
    font-style: italic;
  }
  .text :is(.hljs-keyword, .hljs-built_in, .hljs-literal, .hljs-name, .hljs-selector-tag, .hljs-meta) {
    color: var(--person);
  }
  .text :is(.hljs-string, .hljs-number, .hljs-regexp, .hljs-symbol, .hljs-addition) {
    color: var(--accent);
  }
  .text :is(.hljs-title, .hljs-section, .hljs-attr, .hljs-attribute, .hljs-selector-class) {
    font-weight: 600;
  }
  .text .hljs-deletion {
    color: var(--danger);
  }
  .text div.formula {
    overflow: auto hidden;
    margin-block: 0.75em;
  }
  .text blockquote {
    margin-inline: 0;
    padding-inline-start: 1rem;
    border-inline-start: 3px solid var(--line);
    color: var(--muted);
  }
  /* A table that does not fit scrolls, because words that are cut into letters cannot be read. */
  .text table {
    display: block;
    overflow-x: auto;
    border-collapse: collapse;
    font-size: 0.9375em;
    overflow-wrap: normal;
  }
  .text :is(th, td) {
    padding: 0.375rem 0.625rem;
    border-block-end: 1px solid var(--line);
    vertical-align: top;
  }
  .text th:not([align]) {
    text-align: start;
  }
`;
