import { css, html, nothing, type TemplateResult } from "lit";
import type { Coach } from "./chat.ts";
import { face } from "./pieces.ts";
import { fill, fillPlural } from "../ui/fill.ts";
import type { Texts } from "./texts.ts";

/**
 * The start of a new thread: the coach, the greeting, who can read what is said and how long it is kept, and questions
 * to begin with. They come last, since they may not all fit on the screen.
 */
export function welcome(
  coach: Coach,
  { texts, privacyUrl, onAsk }: { texts: Texts; privacyUrl: string; onAsk: (question: string) => void },
): TemplateResult {
  return html`
    <div class="welcome">
      ${face(coach)}
      <h2><bdi>${coach.name}</bdi></h2>
      <p class="muted"><bdi>${coach.title}</bdi></p>
      ${coach.greeting ? html`<p class="greeting" dir="auto">${coach.greeting}</p>` : nothing}
      <p class="privacy muted">
        ${fill(texts.privacy, { name: coach.name })}
        ${coach.retention_days
          ? fillPlural(texts.keptFor, { count: coach.retention_days, locale: texts.locale })
          : nothing}
        ${isPage(privacyUrl)
          ? html`<a href=${privacyUrl} target="_blank" rel="noopener">${texts.privacyPage}</a>`
          : nothing}
      </p>
      <ul class="choices">
        ${coach.starters.map((question) =>
          html`<li><button part="starter" dir="auto" @click=${() => onAsk(question)}>${question}</button></li>`
        )}
      </ul>
    </div>
  `;
}

/** Returns true for the address of a page, of this site or of another one. */
function isPage(address: string): boolean {
  const base = document.baseURI;
  return address !== "" && URL.canParse(address, base) && /^https?:$/.test(new URL(address, base).protocol);
}

export const welcomeStyles = css`
  .welcome {
    padding-block: clamp(1rem, 8vh, 5rem) 1rem;
    text-align: center;
    overflow-wrap: anywhere;
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
  }
  .welcome p {
    margin: 0.25rem 0 0;
  }
  .welcome .privacy {
    max-width: 34rem;
    margin: 1rem auto 0;
    font-size: 0.8125rem;
  }
  .welcome a {
    color: inherit;
  }
  .welcome .greeting {
    max-width: 34rem;
    margin: 1.5rem auto 0;
    font-size: 1.125rem;
    line-height: 1.55;
    white-space: pre-wrap;
  }
`;
