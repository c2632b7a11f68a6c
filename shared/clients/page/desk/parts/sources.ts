import { html, nothing, type TemplateResult } from "lit";
import { citation } from "../../reader/citation.ts";
import { openSource, type Source } from "../../reader/reading.ts";
import type { Extras } from "../../ui/markdown.ts";
import type { Schemas } from "../desk.ts";
import type { DeskPart } from "../desk_part.ts";
import { formatNumber } from "../format.ts";
import { linkTo } from "../route.ts";
import { fill, fillIn, t } from "../texts.ts";

/** The numbers of the sources in the text of an answer, which open the reader. */
export function numberedSources(from: DeskPart, sources: Source[]): Extras {
  return {
    citation: (number) => {
      const place = number - 1;
      if (sources[place]?.number !== number) return null;
      const onOpen = () => openPlace(from, sources, place);
      return citation(formatNumber(number), { label: fill(t.shared.source, { number }), onOpen });
    },
    version: sources,
  };
}

/** Opens one of the sources of an answer in the reader. */
export function openPlace(from: DeskPart, sources: Source[], place: number): void {
  openSource(from, { coachId: from.coachId, sources, place, isReadable: true });
}

/** The text of an answer without the numbers of its sources, which say nothing where there are none. */
export function withoutNumbers(text: string, sources: Source[]): string {
  const numbers = new Set(sources.map(({ number }) => number));
  return text.replaceAll(/ ?\[(\d{1,2})\]/g, (all, number) => numbers.has(Number(number)) ? "" : all);
}

/** The sources of an answer as a list, each of which opens; nothing without any. */
export function sourceList(from: DeskPart, sources: Source[]) {
  if (sources.length === 0) return nothing;
  return html`
    <ul class="sources small text" aria-label=${t.tests.sources}>${sources.map((source, place) => {
      const open = () => openPlace(from, sources, place);
      return isPassage(source)
        ? html`<li>${
          showPlace(
            html`<button class="quiet" aria-haspopup="dialog" @click=${open}><bdi>${source.filename}</bdi></button>`,
            source.page,
          )
        }</li>`
        : html`<li>${
          fillIn(t.parts.yourAnswerTo, {
            question: html`<a href=${linkTo("answers", source.pinnedAnswerId)}><bdi>${source.question}</bdi></a>`,
          })
        }</li>`;
    })}</ul>
  `;
}

/** The name of a file, with a page of it if there is one. */
export function showPlace(file: TemplateResult, page: number | null): unknown {
  return page === null ? file : fillIn(t.parts.inFile, { file, page: formatNumber(page) });
}

/** A source of an answer that is a passage. */
export function isPassage(source: Schemas["Source"]): source is Schemas["PassageSource"] {
  return source.kind === "passage";
}

/** A link to a page elsewhere. An address that no browser should open is only shown. */
export function linkToWeb(url: string): TemplateResult {
  if (!/^https?:\/\//i.test(url)) return html`<bdi class="text">${url}</bdi>`;
  return html`<a class="text" href=${url} target="_blank" rel="noopener noreferrer"><bdi>${url}</bdi></a>`;
}
