import { css } from "lit";
import { citationStyles } from "../reader/citation.ts";
import { theme } from "../ui/theme.ts";

/** The layout of panels, rows, lists and cards. */
const layoutStyles = css`
  :host {
    display: block;
    background: none;
  }
  .list {
    display: grid;
    gap: 0.75rem;
    padding: 0;
    list-style: none;
  }
  ul.sources {
    display: flex;
    flex-wrap: wrap;
    gap: 0 0.75rem;
    padding: 0;
    list-style: none;
  }
  /* Two texts beside each other where there is room. */
  .both {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.75rem;
  }
  .both > * {
    align-content: start;
  }
  @container (min-width: 36rem) {
    .both:has(> :nth-child(2)) {
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
  }
  h2 {
    font-size: 1.375rem;
    line-height: 1.25;
    letter-spacing: -0.01em;
  }
  h3 {
    font-size: 1rem;
    line-height: 1.4;
  }
  a {
    color: var(--accent);
    text-underline-offset: 0.15em;
  }
  .panel {
    max-inline-size: 60rem;
    padding: 1rem;
  }
  @container desk (min-width: 56rem) {
    .panel {
      padding: 1.5rem 2rem 3rem;
    }
  }
  .empty {
    display: grid;
    gap: 0.25rem;
    justify-items: center;
    padding: 3rem 1rem;
    border: 1px dashed var(--line);
    border-radius: var(--radius);
    text-align: center;
    text-wrap: balance;
  }
  .empty > p {
    max-inline-size: 32rem;
  }
  .stack {
    display: grid;
    gap: 1rem;
    grid-template-columns: minmax(0, 1fr);
  }
  .stack.tight {
    gap: 0.5rem;
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem;
  }
  .facts {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.25rem 0.75rem;
  }
  .row.spread {
    justify-content: space-between;
  }
  .card {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.5rem;
    padding: 1rem;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--surface);
  }
  @container desk (min-width: 44rem) {
    .card.split {
      grid-template-columns: minmax(0, 1fr) fit-content(50%);
      align-items: start;
      column-gap: 1.5rem;
    }
    .card.split > .wide,
    .card.split > :has(> [open]) {
      grid-column: 1 / -1;
    }
  }
  .raised {
    padding: 0.5rem 0.75rem;
    border-radius: calc(var(--radius) / 1.5);
    background: var(--raised);
  }
  .small {
    font-size: 0.875rem;
  }
  .number {
    font-size: 1.5rem;
    font-weight: 650;
    line-height: 1.3;
    letter-spacing: -0.02em;
    font-variant-numeric: tabular-nums;
  }
  .tag {
    display: inline-flex;
    align-items: center;
    gap: 0.3em;
    padding: 0.05rem 0.5rem;
    border-radius: 1rem;
    background: var(--raised);
    color: var(--muted);
    font-size: 0.8125rem;
    white-space: nowrap;
  }
  .tag svg {
    width: 1em;
    height: 1em;
  }
  .tag.ai {
    background: color-mix(in oklab, var(--accent) 14%, var(--surface));
    color: color-mix(in oklab, var(--accent) 70%, var(--text));
  }
  .tag.person {
    background: color-mix(in oklab, var(--person) 16%, var(--surface));
    color: color-mix(in oklab, var(--person) 75%, var(--text));
  }
  .tag.danger {
    background: color-mix(in oklab, var(--danger) 12%, var(--surface));
    color: color-mix(in oklab, var(--danger) 85%, var(--text));
  }
  .versions {
    margin-block-start: 0.75rem;
  }
  /* The name of a field above compared texts. */
  .of-field {
    margin: 0;
    font-size: 0.875rem;
    font-weight: 600;
  }
  .of-field::first-letter {
    text-transform: uppercase;
  }
`;

/** The styles of buttons and fields. */
const controlStyles = css`
  label.field {
    display: grid;
    gap: 0.25rem;
    font-size: 0.875rem;
    font-weight: 600;
  }
  label.field > input,
  label.field > textarea,
  label.field > select {
    font-size: 1rem;
    font-weight: 400;
  }
  label.check {
    display: flex;
    align-items: baseline;
    gap: 0.5rem;
  }
  fieldset {
    display: grid;
    gap: 0.5rem;
    min-inline-size: 0;
    margin: 0;
    padding: 0;
    border: 0;
  }
  legend {
    margin-block-end: 0.25rem;
    padding: 0;
    font-size: 0.875rem;
    font-weight: 600;
  }
  [readonly] {
    background: var(--raised);
  }
  input[type="checkbox"],
  input[type="radio"] {
    width: auto;
    flex: none;
    accent-color: var(--accent);
  }
  progress {
    accent-color: var(--accent);
  }
  .row > progress {
    flex: 1;
    min-inline-size: 4rem;
  }
  textarea {
    field-sizing: content;
    min-block-size: 2.75rem;
    max-block-size: 24rem;
    resize: none;
  }
  @supports not (field-sizing: content) {
    textarea {
      min-block-size: 4.5rem;
      resize: vertical;
    }
  }
  textarea.tall {
    min-block-size: 8rem;
  }
  .toggles {
    display: inline-flex;
    flex-wrap: wrap;
    gap: 0.25rem;
    padding: 0.2rem;
    border-radius: calc(var(--radius) / 1.25);
    background: var(--raised);
  }
  .toggles > a,
  .toggles > button {
    min-block-size: 2rem;
    padding: 0.25rem 0.75rem;
    border: 0;
    border-radius: calc(var(--radius) / 1.75);
    background: none;
    color: var(--muted);
    font-size: 0.9375rem;
    text-decoration: none;
  }
  .toggles > [aria-current],
  .toggles > [aria-pressed="true"] {
    background: var(--surface);
    color: var(--text);
    box-shadow: 0 0 0 1px var(--line);
  }
  a.button {
    display: inline-flex;
    align-items: center;
    gap: 0.4em;
    min-block-size: 2.25rem;
    padding: 0.25rem 0.75rem;
    border: 1px solid var(--line);
    border-radius: calc(var(--radius) / 1.5);
    color: var(--text);
    text-decoration: none;
  }
  a.button:hover {
    background: var(--raised);
  }
  a.back {
    display: inline-flex;
    gap: 0.25rem;
    color: var(--muted);
    text-decoration: none;
  }
  a.title {
    color: inherit;
    text-decoration: none;
  }
  a.title:hover {
    text-decoration: underline;
  }
  .toggle {
    white-space: nowrap;
  }
  .toggle[aria-pressed="true"] {
    border-color: var(--accent);
    background: color-mix(in oklab, var(--accent) 12%, var(--surface));
    color: color-mix(in oklab, var(--accent) 70%, var(--text));
  }
  .nowrap {
    flex-wrap: nowrap;
  }
  .search {
    flex: 1;
  }
  button.small,
  .button.small {
    min-block-size: 2rem;
    padding: 0.15rem 0.6rem;
    font-size: 0.875rem;
  }
  .quiet {
    padding: 0 0.25rem;
    border: 0;
    min-block-size: 2rem;
    background: none;
    color: var(--accent);
    font-size: 0.875rem;
  }
`;

/** The styles of texts, quotes and Markdown. Texts of people have the direction of their own language. */
const proseStyles = css`
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
  del {
    background: color-mix(in oklab, var(--danger) 18%, transparent);
    text-decoration-color: var(--danger);
  }
  ins {
    background: color-mix(in oklab, var(--accent) 22%, transparent);
    text-decoration: none;
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

/** The styles that all elements of the desk share. */
export const deskStyles = [theme, layoutStyles, controlStyles, proseStyles, citationStyles];
