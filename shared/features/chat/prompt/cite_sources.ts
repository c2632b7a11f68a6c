import type { PassageSource, PinnedAnswerSource, Source } from "../../../core/answers/stored_answer.ts";
import type { Findings, FoundPassage, NearAnswer } from "../begun_turn.ts";
import { splitSentences } from "../../../libs/base/text.ts";

/** The material that the model is given, in the order of its numbers: pinned answers, then passages; or null. */
export function citeSources(
  { pinned, passages }: Pick<Findings, "pinned" | "passages">,
  question: string,
): Source[] | null {
  const sources = [...pinned.map(citePinnedAnswer), ...citePassages(passages, question) ?? []];
  return sources.length === 0 ? null : sources;
}

/** Describes a pinned answer as the source of an answer that the model writes. */
export function citePinnedAnswer({ id, version, question, answer }: NearAnswer): PinnedAnswerSource {
  return {
    kind: "pinned_answer",
    pinnedAnswerId: id,
    version,
    question,
    quote: quoteBeginning(answer),
    isWordForWord: false,
  };
}

/** The sources of an answer, in the order of its passages; null without any. */
export function citePassages(passages: FoundPassage[], question: string): PassageSource[] | null {
  if (passages.length === 0) return null;
  return passages.map(({ passageId, fileId, filename, sourceUrl, content, isRecognized, ...passage }) => ({
    kind: "passage",
    passageId,
    fileId,
    file_id: fileId,
    filename,
    source_url: sourceUrl,
    position: passage.position,
    page: passage.page,
    heading: passage.heading,
    ...(passage.seconds !== undefined && { seconds: passage.seconds }),
    ...(isRecognized && { is_recognized: true }),
    quote: pickQuote(content, question),
    score: passage.score,
  }));
}

const maxLength = 300;
/** Words with the same beginning count as the same: coach, coaches, coaching. */
const stemLength = 5;
/** The maximum length of a question that is considered, in characters. */
const usedQuestion = 500;
/** The number of characters kept before the first matching word of a long sentence. */
const leadLength = 80;
/** The most characters of a line that is taken for a heading. */
const longestHeading = 120;

/**
 * Picks a quote from a passage: the sentence, or two in a row, with the most words of the question; otherwise, the
 * beginning. A heading in the text is quoted with the sentence below it. The quote has at most 300 characters on one
 * line. An ellipsis shows where a sentence was cut.
 */
export function pickQuote(content: string, question: string): string {
  const wanted = patternOf(question);
  const sentences = joinHeadings(content.split(/(?<=\n\n)/)).flatMap(splitBelowHeading).map((text) => ({
    text,
    found: new Set(wanted && text.match(wanted)?.map((stem) => stem.toLowerCase())),
  }));

  let best = { text: sentences[0]?.text ?? "", score: 0 };
  for (const [i, { text, found }] of sentences.entries()) {
    const score = scoreOf(found);
    if (score > best.score) best = { text, score };
    const next = sentences[i + 1];
    if (score === 0 || next === undefined || text.length + next.text.length > maxLength) continue;
    const scoreOfBoth = scoreOf(found.union(next.found));
    if (scoreOfBoth > Math.max(best.score, scoreOf(next.found))) best = { text: text + next.text, score: scoreOfBoth };
  }
  const quote = best.text.replace(/\s+/g, " ").trim();
  return quote.length <= maxLength ? quote : cutAround(quote, wanted ? Math.max(quote.search(wanted), 0) : 0);
}

/** Joins each paragraph that is only a heading with the one below it. */
function joinHeadings(paragraphs: string[]): { heading: string; text: string }[] {
  const joined = [];
  let heading = "";
  for (const [i, text] of paragraphs.entries()) {
    const isHeading = i < paragraphs.length - 1 && heading.length + text.length <= longestHeading &&
      /^[^\n]*[^\n.!?:;,。！？]\n\n$/.test(text);
    if (isHeading) heading += text;
    else {
      joined.push({ heading, text });
      heading = "";
    }
  }
  return joined;
}

function splitBelowHeading({ heading, text }: { heading: string; text: string }): string[] {
  const [first = "", ...rest] = splitSentences(text);
  return [heading + first, ...rest];
}

/** The beginning of a text, at most 300 characters on one line. */
export function quoteBeginning(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= maxLength ? line : cutAround(line, 0);
}

/** Finds the beginnings of the words of a question, and its characters where words are written together. */
function patternOf(question: string): RegExp | undefined {
  const words =
    question.slice(0, usedQuestion).toLowerCase().match(/[\u2E80-\uD7FF]|[^\P{L}\u2E80-\uD7FF]{3,}|\p{N}+/gu) ?? [];
  const stems = [...new Set(words.map((word) => word.slice(0, stemLength)))];
  if (stems.length === 0) return;
  return new RegExp(stems.map((stem) => stem > "\u2E80" ? stem : `(?<![\\p{L}\\p{N}])${stem}`).join("|"), "giu");
}

/** Short words say little, and so do single characters. */
function scoreOf(stems: Set<string>): number {
  let score = 0;
  for (const stem of stems) score += Math.max(1, stem.length - 2);
  return score;
}

/** Cuts out the text around a position, between words if there are spaces. */
function cutAround(text: string, place: number): string {
  const start = place <= leadLength ? 0 : nextWord(text, { from: place - leadLength, to: place });
  const lead = start > 0 ? "…" : "";
  const room = maxLength - lead.length;
  if (text.length - start <= room) return lead + text.slice(start);
  // One character is for the ellipsis.
  const cut = text.slice(start, start + room);
  const end = cut.lastIndexOf(" ");
  return `${lead}${end > 0 ? cut.slice(0, end) : cut.slice(0, -1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

function nextWord(text: string, { from, to }: { from: number; to: number }): number {
  const space = text.slice(from, to).indexOf(" ");
  if (space !== -1) return from + space + 1;
  return /[\uDC00-\uDFFF]/.test(text[from]!) ? from + 1 : from;
}
