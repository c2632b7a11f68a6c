import { css } from "lit";

/** What the beginning of a conversation looks like. */
export const welcomeStyles = css`
  .welcome {
    padding-block: clamp(1rem, 8vh, 5rem) 1rem;
    text-align: center;
  }
  .welcome .initials {
    width: 4.5rem;
    height: 4.5rem;
    font-size: 1.5rem;
  }
  .welcome h2 {
    margin: 1rem 0 0;
    font-size: 1.5rem;
    font-weight: 600;
    line-height: 1.25;
    overflow-wrap: anywhere;
  }
  .welcome p {
    margin: 0.25rem 0 0;
  }
  .welcome .greeting {
    max-width: 34rem;
    margin: 1.5rem auto 0;
    font-size: 1.125rem;
    line-height: 1.55;
    overflow-wrap: anywhere;
    white-space: pre-wrap;
  }
`;
