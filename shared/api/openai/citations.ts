import type { Ending } from "../../core/answers/answer.ts";
import type { PassageSource, Source } from "../../core/answers/stored_answer.ts";
import type { Admission } from "../../core/auth/admission.ts";
import { findCitations } from "../../core/answers/citation_filter.ts";
import type { UrlCitation } from "./fields.ts";

/** Returns whether the key of an admitted request was issued for footnotes. */
export function hasFootnotes({ key }: Admission): boolean {
  return key?.options.includes("footnotes") === true;
}

/** The sources of an answer as numbered lines below it; empty without any, and for keys without the option. */
export function listFootnotes(answer: { hasFootnotes: () => boolean }, { sources }: Pick<Ending, "sources">): string {
  if (!sources || sources.length === 0 || !answer.hasFootnotes()) return "";
  const lines = sources.map((source, place) => `[${place + 1}] ${nameSource(source)}`);
  return `\n\n${lines.join("\n")}`;
}

function nameSource(source: Source): string {
  const text = source.kind === "pinned_answer"
    ? source.question
    : [source.filename, source.heading, source.page && `p. ${source.page}`].filter(Boolean).join(", ");
  return text.replaceAll(/\s+/g, " ");
}

const footnote = /^\[\d{1,3}\] ./;

/** A text of the assistant as it was before {@link listFootnotes}: clients send it back with them. */
export function withoutFootnotes(text: string): string {
  const lines = text.trimEnd().split("\n");
  const end = lines.findLastIndex((line) => !footnote.test(line));
  // They stand below a blank line, and there is something above it.
  return end === lines.length - 1 || end < 1 || lines[end] !== "" ? text : lines.slice(0, end).join("\n").trimEnd();
}

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
