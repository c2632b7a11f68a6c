import { splitSentences } from "../../shared/libs/base/text.ts";
import { countShared, isAbout, wordsOf } from "./offline_words.ts";

/** A passage as the prompt quotes it. */
export type QuotedPassage = { number: number; source: string; heading?: string; text: string };

/** The approximate number of words in each part of an answer with one, two or three parts. */
const lengths = [[130], [80, 50], [70, 40, 30]];
/** The minimum by which a sentence must match better than an earlier one. */
const leastGain = 0.25;
/** Matches the beginning of a list item. */
const listItem = /^(?:[-–*]|\d+\.)\s/;
/** A sentence that can hardly be understood without the one before it. */
const pointsBack = /^(?:it|that|this|then|they|them|those|these|he|she|and|but|or|so|det|den|de|då|sedan|och|men)\b/i;

/**
 * Composes an answer from sentences of the passages that are about a question, best first, each part with the number of
 * its passage; null if there are none. Parts after the first must match the question more closely.
 */
export function composeExcerpts(question: string, passages: QuotedPassage[]): string | null {
  const asked = wordsOf(question);
  const isMost = (words: Set<string>) => 2 * asked.intersection(words).size >= asked.size;
  // The search has ranked the passages: if several contain as much of the question, its first one comes first.
  const [best, ...others] = passages
    .filter(({ source, heading = "", text }) => isAbout(question, `${source} ${heading} ${text}`))
    .map((passage) => ({ passage, ...findBest(question, passage) }))
    .toSorted((one, other) => other.score - one.score);
  if (best === undefined) return null;
  const also = others.filter(({ passage, sentence }) =>
    isMost(wordsOf(sentence)) &&
    (passage.source === best.passage.source || isMost(wordsOf(`${passage.source} ${passage.heading}`)))
  );
  const parts = [best, ...also].slice(0, lengths.length);
  return parts.map(({ passage, sentences, index }, part) =>
    `${cutExcerpt(sentences, index, lengths[parts.length - 1]![part]!)} [${passage.number}]`
  ).join("\n\n");
}

/** The first sentence of a passage that shares most with a question, together with its heading. */
function findBest(question: string, { heading = "", text }: QuotedPassage) {
  const sentences = text.split(/(?<=\n\n)|\n(?=[-–*] |\d+\. )/).flatMap((block) =>
    listItem.test(block) ? [block] : splitSentences(block)
  );
  const title = heading.split(" > ").at(-1)!;
  let best = { index: 0, sentence: "", score: 0 };
  for (const [index, sentence] of sentences.entries()) {
    const score = countShared(question, `${title} ${sentence}`);
    if (index === 0 || score > best.score + leastGain) best = { index, sentence, score };
  }
  return { sentences, ...best };
}

/**
 * Returns whole sentences from a given one on, with about the wanted number of words. A list is not cut after a few of
 * its items.
 */
function cutExcerpt(sentences: string[], from: number, wanted: number): string {
  while (from > 0 && pointsBack.test(sentences[from]!)) from--;
  let text = "";
  let count = 0;
  for (const sentence of sentences.slice(from)) {
    const isOfList = listItem.test(sentence);
    if (!isOfList && isHeading(sentence)) {
      if (count > 0.8 * wanted) break;
      continue;
    }
    count += sentence.split(/\s+/).length;
    if (text !== "" && count > (isOfList ? 2 * wanted : wanted)) break;
    if (isOfList && text !== "" && !text.endsWith("\n")) text = `${text.trimEnd()}\n`;
    // Line breaks in a file depend on its author's editor.
    const line = sentence.trim().replace(/\s+/g, " ").replace(/^– /, "- ");
    text += `${line}${/\n\n\s*$/.test(sentence) ? "\n\n" : " "}`;
  }
  return text.trim();
}

/** Returns true if a sentence is the heading of a short section within a passage. */
function isHeading(sentence: string): boolean {
  return /[^.!?:…"”)]\n\n\s*$/.test(sentence) || /^[^.!?:…]*[^.!?:…"”)\s]$/.test(sentence);
}
