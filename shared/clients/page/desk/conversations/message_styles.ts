import { css } from "lit";

/** The styles of messages: those of the person, the AI and the expert look different from each other. */
export const messageStyles = css`
  article {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.375rem;
    padding: 0.75rem 1rem;
    border: 1px solid transparent;
    border-radius: var(--radius);
  }
  article.user {
    inline-size: fit-content;
    max-inline-size: min(42rem, 92%);
    background: var(--raised);
  }
  article.ai,
  article.expert,
  article.pinned {
    max-inline-size: 46rem;
    margin-inline-start: clamp(0rem, 6cqi, 3rem);
    border-color: var(--line);
  }
  article.expert,
  article.pinned {
    border-color: color-mix(in oklab, var(--person) 45%, var(--line));
    background: color-mix(in oklab, var(--person) 7%, var(--surface));
  }
  .foot {
    display: flex;
    flex-wrap: wrap;
    align-items: start;
    justify-content: space-between;
    gap: 0.5rem;
  }
  details {
    flex: 1 1 10rem;
  }
  details[open] {
    flex-basis: 100%;
  }
  summary {
    inline-size: fit-content;
    min-block-size: 2rem;
    align-content: center;
    color: var(--muted);
  }
  .basis {
    padding-block: 0.5rem;
  }
  q {
    font-style: italic;
  }
`;
