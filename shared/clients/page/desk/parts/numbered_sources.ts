import type { LitElement } from "lit";
import { citation } from "../../reader/citation.ts";
import { openSource, type Source } from "../../reader/reading.ts";
import type { Extras } from "../../ui/markdown.ts";
import { formatNumber } from "../format.ts";
import { fill, t } from "../texts.ts";

/** The numbers of the sources in the text of an answer, which open the reader. */
export function numberedSources(
  from: LitElement,
  { coachId, sources }: { coachId: string; sources: Source[] },
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
