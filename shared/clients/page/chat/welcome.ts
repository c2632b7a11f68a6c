import { html, nothing, type TemplateResult } from "lit";
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
