import { html, nothing, type TemplateResult } from "lit";
import { isolate } from "../../../isolate.ts";
import { renderMarkdown } from "../../ui/markdown.ts";
import type { Schemas } from "../desk.ts";
import { icons } from "../icons.ts";
import { showError } from "../parts/show_error.ts";
import type { Loading } from "../state/work.ts";
import { fill, t } from "../texts.ts";

/** The reply to a question that was tried. */
export type Tried = Schemas["TriedQuestion"];

/**
 * Shows an answer of the persona that was tried, also while it is written.
 *
 * @param title who answers; null if that needs no telling
 */
export function showTriedAnswer({ value, isBusy, error }: Loading<Tried>, title: string | null = null) {
  if (isBusy) return frame(title, html`<p class="muted" role="status">${t.try.answering}</p>`);
  // Without a title, the panel shows the error.
  if (error !== null && title !== null) return frame(title, html`${showError(error)}`);
  const answer = value?.answer;
  if (!answer) return nothing;
  const { text, author, asks_expert } = answer;
  return html`
    <article class="card" aria-label=${title ?? t.try.answer}>
      <p class="facts">${title === null ? nothing : html`<strong>${title}</strong>`}
        ${author === "ai"
          ? html`<span class="tag ai">${icons.ai} ${t.parts.ai}</span>`
          : html`<span class="tag person">${icons.person} ${t.parts.youWordForWord}</span>`}</p>
      <div class="markdown">${renderMarkdown(text)}</div>
      ${asks_expert === null ? nothing : html`
        <p class="small muted">${fill(t.try.wouldAsk, { question: isolate(asks_expert) })}</p>
      `}
    </article>
  `;
}

function frame(title: string | null, content: TemplateResult): TemplateResult {
  if (title === null) return content;
  return html`<div class="card" role="group" aria-label=${title}><p><strong>${title}</strong></p>${content}</div>`;
}
