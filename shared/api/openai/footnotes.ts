import type { Ending } from "../../core/answers/answer.ts";
import type { Source } from "../../core/answers/stored_answer.ts";
import type { Admission } from "../../core/auth/admission.ts";

/** Returns whether the key of an admitted request was issued for footnotes. */
export function hasFootnotes({ key }: Admission): boolean {
  return key?.options.includes("footnotes") === true;
}

/**
 * The sources of an answer as numbered lines below it, for clients that show nothing but text; empty without any, and for
 * keys without the option.
 */
export function listFootnotes(answer: { hasFootnotes: () => boolean }, { sources }: Pick<Ending, "sources">): string {
  if (!sources || sources.length === 0 || !answer.hasFootnotes()) return "";
  const lines = sources.map((source, place) => `[${place + 1}] ${nameSource(source)}`);
  return `\n\n${lines.join("\n")}`;
}

/** The name of a source on one line. */
export function nameSource(source: Source): string {
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
