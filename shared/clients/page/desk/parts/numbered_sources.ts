import { html, type LitElement, nothing } from "lit";
import { citation } from "../../reader/citation.ts";
import { openSource, type Source } from "../../reader/reading.ts";
import type { Extras } from "../../ui/markdown.ts";
import { formatNumber } from "../format.ts";
import { linkTo } from "../route.ts";
import { fill, t } from "../texts.ts";
import { fillIn } from "./fill_in.ts";
import { isPassage, showPlace } from "./passage.ts";

/** An answer with its sources, and the element that shows it. */
type Sourced = { coachId: string; sources: Source[] };

/** The numbers of the sources in the text of an answer, which open the reader. */
export function numberedSources(
  from: LitElement,
  { coachId, sources }: Sourced,
): Extras {
  return {
    citation: (number) => {
      const place = number - 1;
      if (sources[place]?.number !== number) return null;
      const onOpen = () => openSource(from, { coachId, sources, place, isReadable: true });
      return citation(formatNumber(number), { label: fill(t.shared.source, { number }), onOpen });
    },
    version: sources,
  };
}

/** The text of an answer without the numbers of its sources, which say nothing where there are none. */
export function withoutNumbers(text: string, sources: Source[]): string {
  const numbers = new Set(sources.map(({ number }) => number));
  return text.replaceAll(/ ?\[(\d{1,2})\]/g, (all, number) => numbers.has(Number(number)) ? "" : all);
}

/** The sources of an answer as a list, each of which opens; nothing without any. */
export function sourceList(from: LitElement, { coachId, sources }: Sourced) {
  if (sources.length === 0) return nothing;
  return html`
    <ul class="small text" aria-label=${t.tests.sources}>${sources.map((source, place) => {
      const open = () => openSource(from, { coachId, sources, place, isReadable: true });
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
