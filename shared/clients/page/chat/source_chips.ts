import { css, html, nothing, type TemplateResult } from "lit";
import type { components } from "../../client/api_types.ts";
import { closeModal, modal } from "../ui/dialog.ts";
import { icons } from "../ui/icons.ts";
import { fill, type Texts } from "./texts.ts";

/** A source of an answer: a passage of a file, or a pinned answer of the expert. */
export type Source = components["schemas"]["Source"];

/** The number of sources that are shown before the reader asks for all. */
const shownAtFirst = 3;

/**
 * A row of buttons, one for each source. Those that the text names have their number. If there are many, the later ones
 * are folded.
 */
export function sourceChips(
  sources: Source[],
  { name, texts, areAllShown, onOpen, onShowAll }: {
    name: string;
    texts: Texts;
    areAllShown: boolean;
    onOpen: (number: number) => void;
    onShowAll: () => void;
  },
): TemplateResult | typeof nothing {
  if (sources.length === 0) return nothing;
  // Folding a single one would save nothing.
  const isFolded = !areAllShown && sources.length > shownAtFirst + 1;
  return html`
    <ol class="sources" aria-label=${texts.sources}>
      ${(isFolded ? sources.slice(0, shownAtFirst) : sources).map((source, index) => {
        const place = placeOf(source, name, texts);
        return html`
          <li>
            <button class="chip" part="source" aria-haspopup="dialog" title=${place} @click=${() => onOpen(index + 1)}>
                      ${source.number ? html`<span class="number">${source.number}</span>` : nothing}
                      ${source.kind === "passage"
                        ? html`<bdi class="file">${source.filename}</bdi><bdi class="file">${
                          shortPlace(source, texts)
                        }</bdi>`
                        : html`${icons.person}<bdi class="file">${place}</bdi>`}
            </button>
          </li>
        `;
      })}
      ${isFolded
        ? html`<li><button class="chip all" @click=${onShowAll}>${
          fill(texts.showAllSources, { count: sources.length })
        }</button></li>`
        : nothing}
    </ol>
  `;
}

/** The window that quotes a source. The quote is shown as plain text. */
export function sourceWindow(
  source: Source,
  { number, name, texts, onClose }: { number: number; name: string; texts: Texts; onClose: () => void },
): TemplateResult {
  const isPassage = source.kind === "passage";
  return modal({
    title: fill(texts.source, { number }),
    onClose,
    content: html`
      <div class="source ${isPassage ? "" : "person"}">
        <div class="source-head">
          ${isPassage ? icons.file : icons.person}
          <h2><bdi>${isPassage ? source.filename : fill(texts.hasSaid, { name })}</bdi></h2>
          <button class="plain icon" aria-label=${texts.close} @click=${closeModal}>${icons.close}</button>
        </div>
        <p class="muted"><bdi>${isPassage ? whereIn(source, texts) : source.question}</bdi></p>
        <blockquote dir="auto" tabindex="0">${source.quote}</blockquote>
      </div>
    `,
  });
}

function placeOf(source: Source, name: string, texts: Texts): string {
  return source.kind === "passage"
    ? [source.filename, whereIn(source, texts)].filter(Boolean).join(", ")
    : fill(texts.hasSaid, { name });
}

/** Returns the page, or else the last of the headings above the passage. */
function shortPlace({ heading, page }: Extract<Source, { kind: "passage" }>, texts: Texts): string {
  return page === null ? heading?.split(" > ").at(-1) ?? "" : fill(texts.page, { page });
}

function whereIn({ heading, page }: Extract<Source, { kind: "passage" }>, texts: Texts): string {
  return [heading, page === null ? null : fill(texts.page, { page })].filter(Boolean).join(" · ");
}

export const sourceStyles = css`
  .sources {
    display: flex;
    flex-wrap: wrap;
    gap: 0.375rem;
    margin: 0.75rem 0 0;
    padding: 0;
    list-style: none;
  }
  .sources li {
    max-width: 100%;
  }
  .chip {
    max-width: 100%;
    min-height: 1.875rem;
    padding: 0.125rem 0.625rem 0.125rem 0.25rem;
    border-radius: 1rem;
    font-size: 0.8125rem;
    color: var(--muted);
  }
  .chip .number {
    display: grid;
    place-items: center;
    min-width: 1.375rem;
    height: 1.375rem;
    border-radius: 1rem;
    background: var(--raised);
    color: var(--text);
    font-size: 0.75rem;
    font-weight: 600;
  }
  .chip:not(:has(.number)) {
    padding-inline: 0.625rem;
  }
  .chip .file {
    min-width: 3rem;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .chip .file:first-of-type {
    color: var(--text);
  }
  .chip .file:empty {
    display: none;
  }
  .chip svg {
    color: var(--person);
  }
  .source-head {
    display: flex;
    align-items: start;
    gap: 0.5rem;
  }
  .source-head svg {
    margin-block-start: 0.1rem;
  }
  .source-head h2 {
    flex: 1;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .source-head button {
    margin-block-start: -0.375rem;
    margin-inline-end: -0.5rem;
  }
  .source.person .source-head > svg {
    color: var(--person);
  }
  blockquote {
    margin: 0;
    padding: 0.25rem 1rem;
    border-inline-start: 3px solid var(--accent);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .source.person blockquote {
    border-color: var(--person);
  }
`;
