import { html, nothing, type TemplateResult } from "lit";
import type { Source } from "../reader/reading.ts";
import { icons } from "../ui/icons.ts";
import { fill, fillPlural } from "../ui/fill.ts";
import type { Texts } from "./texts.ts";

/** The number of sources that are shown before the reader asks for all. */
const shownAtFirst = 3;

/** A row of buttons, one a source, with its number if the text names it. Of many, the later ones are folded. */
export function sourceChips(
  sources: Source[],
  { name, texts, areAllShown, onOpen, onShowAll }: {
    name: string;
    texts: Texts;
    areAllShown: boolean;
    onOpen: (place: number) => void;
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
            <button class="chip" part="source" aria-haspopup="dialog" title=${place} @click=${() => onOpen(index)}>
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
          fillPlural(texts.showAllSources, { count: sources.length, locale: texts.locale })
        }</button></li>`
        : nothing}
    </ol>
  `;
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
