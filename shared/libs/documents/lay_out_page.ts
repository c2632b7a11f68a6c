import type { Line } from "./join_lines.ts";
import type { Block } from "./document_reader.ts";

const maxHeadingLength = 200;

/**
 * Joins the lines of a page to paragraphs and headings, in the order of the file. A paragraph ends with a wider gap, an
 * indent or another size of letters; a heading is at least 15 % larger than most of the page.
 */
export function layOutPage(lines: Line[], page: number): LaidPage {
  const smallest = headingHeight(lines);
  const gaps = lines.slice(1).map((line, i) => lines[i]!.y - line.y).filter((gap) => gap > 0);
  const lineGap = mostOf(gaps, (gap) => ({ value: Math.round(gap), weight: 1 }));

  const paragraphs: Line[][] = [];
  for (const line of lines) {
    const paragraph = paragraphs.at(-1);
    const isNew = paragraph === undefined || isTable(line) || isTable(paragraph[0]!) ||
      opensParagraph(line, { before: paragraph.at(-1)!, lineGap });
    if (isNew) paragraphs.push([line]);
    else paragraph.push(line);
  }
  let words: Set<string> | undefined;
  const isWord = (word: string) => (words ??= wordsOf(lines)).has(word.toLowerCase());
  const blocks = paragraphs.map((paragraph) => {
    const [{ text: rows, header }] = paragraph as [Line];
    if (header !== undefined) return { text: rows, page, level: null, header };
    const text = joinTexts(paragraph.map((line) => line.text), isWord);
    const height = paragraph[0]!.height;
    const isHeading = height > smallest && text.length <= maxHeadingLength && /\p{L}{2}/u.test(text);
    return { text, page, level: isHeading ? -Math.round(height) : null };
  });
  const widest = lines.reduce((most, { x, end }) => Math.max(most, end - x), 0);
  const last = lines.at(-1);
  return { blocks, isFull: last !== undefined && last.end - last.x > widest * 0.8 };
}

function isTable({ header }: Line): boolean {
  return header !== undefined;
}

/** The height above which a line is a heading. */
export function headingHeight(lines: Line[]): number {
  return 1.15 * mostOf(lines, (line) => ({ value: Math.round(line.height), weight: line.text.length }));
}

function opensParagraph(line: Line, { before, lineGap }: { before: Line; lineGap: number }): boolean {
  if (Math.abs(line.height - before.height) > before.height * 0.15) return true;
  const gap = before.y - line.y;
  // A part of a formula, or of a row.
  if (Math.abs(gap) < line.height * 0.8 && line.x > before.x) return false;
  const isNear = gap >= 0 && gap <= lineGap * 1.4 + 1;
  const endsSentence = /[.!?…:。！？][\p{Pe}\p{Pf}"']*\s*$/u.test(before.text);
  if (isNear) return endsSentence && line.x - before.x > line.height * 0.8;
  // A sentence continues in the next column.
  return gap >= 0 || endsSentence || !/^\s*\p{Ll}/u.test(line.text);
}

/** The words of a page in lower case, those with hyphens as one. */
function wordsOf(lines: { text: string }[]): Set<string> {
  return new Set(lines.flatMap(({ text }) => text.toLowerCase().match(/\p{L}+(?:[-\u2010]\p{L}+)*/gu) ?? []));
}

/** Parts of a word that keep a hyphen: tens of English and French numbers, and prefixes of English nouns. */
const keepsHyphen =
  /^(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|vingt|trente|quarante|cinquante|soixante|quatre|self|well)$/i;

/** Returns whether a hyphen at the end of a line only divides a word, as the page or its rules show. */
function isDivision(before: string, after: string, isWord: (word: string) => boolean): boolean {
  const hyphen = before.at(-1)!;
  if (hyphen === "\u00AD") return true;
  // No word is longer.
  const [start = ""] = /\p{L}+$/u.exec(before.slice(-50, -1)) ?? [];
  const [end = ""] = /^\p{L}+/u.exec(after.slice(0, 50)) ?? [];
  return isWord(start + end) || !isWord(`${start}${hyphen}${end}`) && !keepsHyphen.test(start);
}

/** Joins the end of one page and the beginning of another. */
export function joinPages(before: string, after: string): string {
  return joinTexts([before, after], (word) => wordsOf([{ text: before }]).has(word.toLowerCase()));
}

/** Joins lines, and words that are divided at the end of a line. */
function joinTexts(lines: string[], isWord: (word: string) => boolean): string {
  const parts: string[] = [];
  for (const line of lines.map((line) => line.trim())) {
    if (line === "") continue;
    // The last characters decide how the next line follows. The text so far is not looked at again.
    const before = parts.at(-1) ?? "";
    const [end, start] = [before.slice(-3), line.slice(0, 2)];
    if (/\p{L}[-\u00AD\u2010]$/u.test(end) && /^\p{Ll}/u.test(start)) {
      if (isDivision(before, line, isWord)) parts[parts.length - 1] = before.slice(0, -1);
    } else if (
      before !== "" && !(/[\u2E80-\u9FFF\uFF00-\uFFEF]$/.test(end) && /^[\u2E80-\u9FFF\uFF00-\uFFEF]/.test(start))
    ) {
      parts.push(" ");
    }
    parts.push(line);
  }
  return parts.join("");
}

/** The value with the most weight; 0 where there is none. */
function mostOf<T>(things: T[], weigh: (thing: T) => { value: number; weight: number }): number {
  const weights = new Map<number, number>();
  let most = 0;
  for (const thing of things) {
    const { value, weight } = weigh(thing);
    weights.set(value, (weights.get(value) ?? 0) + weight);
    if (weights.get(value)! > (weights.get(most) ?? 0)) most = value;
  }
  return most;
}

/** A longer rest of a sentence is not looked for on the next page. */
const longestRest = 600;
const sentenceEnd = /[.!?…:;。！？][\p{Pe}\p{Pf}"']*\s*$/u;
/** The end of the sentence that a page begins with. */
const firstEnd = /[.!?…](?=["'”’»)\]]*\s+[^\p{Ll}\s]|["'”’»)\]]*$)["'”’»)\]]*|[。！？]["'”’」』）]*/u;

/** The blocks of a page; `isFull` is true where its last line goes to the end of the column. */
export type LaidPage = { blocks: Block[]; isFull: boolean };

/** The length of the text at the beginning of a page that ends the last sentence of the page before. */
export function lengthOfRest(before: LaidPage, page: LaidPage): number {
  const [last, first] = [before.blocks.at(-1), page.blocks[0]];
  if (last?.header !== undefined || first?.header !== undefined) return 0;
  if (last?.level !== null || first?.level !== null || last.text === "" || sentenceEnd.test(last.text.slice(-50))) {
    return 0;
  }
  const goesOn = /^\s*\p{Ll}/u.test(first.text) || before.isFull && /^\s*[\p{L}\p{N}"„“«(]/u.test(first.text);
  if (!goesOn) return 0;
  const start = first.text.slice(0, longestRest);
  const end = firstEnd.exec(start);
  if (end !== null) return end.index + end[0].length;
  // A table or a list may have no sentences. What is the whole page is not taken from it.
  return first.text.length <= longestRest && page.blocks.length > 1 ? first.text.length : 0;
}
