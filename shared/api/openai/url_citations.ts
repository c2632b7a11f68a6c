import { findCitations } from "../../core/answers/citation_filter.ts";
import type { PassageSource, Source } from "../../core/answers/stored_answer.ts";
import { nameSource } from "./footnotes.ts";
import type { UrlCitation } from "./fields.ts";

/** The coach whose files the sources are, and the page that has a reader; null: there is none. */
export type PlaceOfReader = { coachId: string; pageUrl: string | null };

/**
 * The citations in a text whose sources have an address, in the order of the text. A source that the text does not name is
 * cited at its end.
 *
 * @param text without footnotes, which name every source again
 */
export function citeUrls(text: string, sources: Source[] | null | undefined, reader: PlaceOfReader): UrlCitation[] {
  // Most answers have none.
  if (!sources || sources.length === 0) return [];
  const places = findCitations(text);
  return sources.flatMap((source) => {
    const url = source.kind === "passage" ? addressOf(source, reader) : null;
    if (url === null) return [];
    const named = places.filter(({ number }) => number === source.number);
    return (named.length > 0 ? named : [{ start: text.length, end: text.length }])
      .map(({ start, end }) => ({ start_index: start, end_index: end, title: nameSource(source), url }));
  }).toSorted((one, other) => one.start_index - other.start_index);
}

/** The web page that a passage was read from, otherwise its place in the reader; null without either. */
function addressOf(
  { source_url, fileId, passageId }: PassageSource,
  { coachId, pageUrl }: PlaceOfReader,
): string | null {
  if (source_url !== null) return source_url;
  return pageUrl && `${pageUrl}#source=${[coachId, fileId, passageId].map(encodeURIComponent).join("/")}`;
}
