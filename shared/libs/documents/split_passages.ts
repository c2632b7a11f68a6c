import type { SplitterState } from "./bookmark.ts";
import type { Block } from "./document_reader.ts";
import { splitSentences } from "../base/text.ts";

/**
 * A piece of a document, as it is searched and quoted. `page` is the page, from 1, on which it begins, not counting what
 * it repeats of the passage before. `is_recognized`: a model has read some of it from a picture.
 */
export type Passage = { content: string; page: number | null; heading: string | null; is_recognized?: true };

type Piece = SplitterState["pieces"][number];
type Place = Pick<Block, "page" | "isRecognized">;

/** Turns blocks into passages: each call returns the passages that are complete by then. */
export type PassageSplitter = {
  push(block: Block): Passage[];
  /** The rest, when the document has ended. */
  end(): Passage[];
  state(): SplitterState;
};

// In the unit of measureText(): six are about one word.
const usualSize = 1800;
const overlapSize = 300;
/** A first row of a table that is longer is not repeated. */
const longestHeader = 600;
/** A passage smaller than this is joined with another one where that is possible. */
const leastSize = 450;
/** The same for a page: a slide with a few lines is a passage, so that it is named by its own page. */
const leastPageSize = 150;
const longestPiece = 900;
const maxHeadingLength = 300;
const maxDepth = 6;
const headingMark = " > ";

/**
 * Splits a document into passages of about 300 words, along headings first, then paragraphs, then sentences; each
 * repeats the last 50 words of the one before under the same heading and on the same page. A section under 75 words, or a
 * page under 25, is joined with the next. A table is split between rows, and each part repeats its first row.
 */
export function createPassageSplitter(from?: SplitterState): PassageSplitter {
  let { headings, isBare, pieces, repeated }: SplitterState = structuredClone(from) ??
    { headings: [], isBare: false, pieces: [], repeated: 0 };
  let size = sizeOf(pieces);

  /** Returns the passages that can be cut off without leaving a rest that is too small for a passage. */
  function addParagraph(text: string, place: Place): Passage[] {
    return addPieces(splitSentences(text).flatMap(cutToLength), { opensParagraph: true, ...place });
  }

  function addTable(text: string, { header, ...place }: Place & { header: string }): Passage[] {
    if (measureText(header) > longestHeader) {
      return addPieces(text.split("\n").flatMap(cutRow).map((row) => `${row}\n`), { opensParagraph: true, ...place });
    }
    const hasHeader = text === header || text.startsWith(`${header}\n`);
    const rows = (hasHeader ? text.slice(header.length + 1) : text).split("\n").flatMap(cutRow);
    const opensParagraph = hasHeader || pieces.at(-1)?.header !== header;
    const parts = [...(hasHeader ? [header] : []), ...rows].filter((row) => row !== "").map((row) => `${row}\n`);
    return addPieces(parts, { opensParagraph, header, ...place });
  }

  function addPieces(parts: string[], { opensParagraph, ...place }: Omit<Piece, "text" | "heading">): Passage[] {
    const heading = headings.length > 0 ? joinHeadings(headings.map((heading) => heading.text)) : null;
    const passages = [];
    for (const [i, text] of parts.entries()) {
      pieces.push({ text, opensParagraph: opensParagraph && i === 0, heading, ...place });
      size += measureText(text);
      if (size > usualSize + leastSize) passages.push(cutPassage());
    }
    return passages;
  }

  function cutPassage(count = countForPassage(pieces), findOverlap = overlapOf): Passage {
    const passage = take(count);
    const overlap = findOverlap(pieces.slice(0, count));
    pieces = [...overlap, ...pieces.slice(count)];
    repeated = overlap.length;
    size = sizeOf(pieces);
    return passage;
  }

  /**
   * A page that is long enough ends its passage, and only a sentence that goes on is repeated: so quotes are on the page
   * that the passage names. With the usual overlap, one in five passages that held an answer named the page after it
   * (`npm run bench -- pages`).
   */
  function endPage(page: number | null): Passage[] {
    const last = pieces.at(-1);
    if (last === undefined || last.page === page || sizeOf(pieces.slice(repeated)) < leastPageSize) return [];
    return [cutPassage(pieces.length, unfinishedOf)];
  }

  function hasSomethingNew(): boolean {
    return pieces.length > repeated;
  }

  function take(count: number): Passage {
    const taken = pieces.slice(0, count);
    const first = taken[repeated] ?? taken[0]!;
    const content = taken.map((piece, i) => (i > 0 && piece.opensParagraph ? "\n\n" : "") + piece.text).join("");
    const heading = headingOfMost(taken.slice(repeated)) ?? first.heading;
    // The headings of sections that were joined are text already.
    const unnamed = repeated === 0 ? missingHeadings(first.heading, heading) : "";
    return {
      content: unnamed + headerOf(taken[0]!) + content.replace(/(?<![^\S\n])[^\S\n]*\n\n\s*/g, "\n\n").trim(),
      page: first.page,
      heading,
      ...(taken.some(({ isRecognized }) => isRecognized) && { is_recognized: true as const }),
    };
  }

  function endSection(): Passage[] {
    const passages = hasSomethingNew() ? [take(pieces.length)] : [];
    [pieces, repeated, size] = [[], 0, 0];
    return passages;
  }

  function pushHeading(level: number, text: string, { isApart, ...place }: Place & Pick<Block, "isApart">): Passage[] {
    const passages = endBareHeading(level);
    const isJoined = !isApart && hasSomethingNew() && sizeOf(pieces.slice(repeated)) < leastSize;
    if (!isJoined) passages.push(...endSection());
    headings = [...headings.filter((heading) => heading.level < level), { level, text, ...place }].slice(-maxDepth);
    isBare = !isJoined;
    if (isJoined) passages.push(...addParagraph(text, place));
    return passages;
  }

  /** A heading without anything under it is kept as text. */
  function endBareHeading(nextLevel: number): Passage[] {
    const last = headings.at(-1);
    if (!isBare || last === undefined || last.level < nextLevel) return [];
    const { level: _, text, page = null, ...place } = last;
    return addParagraph(text, { page, ...place });
  }

  return {
    push({ text, page, level, header, isApart, isRecognized }) {
      const clean = cleanText(text);
      if (clean === "") return [];
      const place: Place = { page, ...(isRecognized && { isRecognized }) };
      const cleanHeader = header === undefined ? undefined : cleanText(header);
      if (level !== null) {
        return pushHeading(
          level,
          clean.replace(/\s+/g, " ").slice(0, maxHeadingLength).replace(/[\uD800-\uDBFF]$/, ""),
          { ...place, isApart },
        );
      }
      isBare = false;
      return [
        ...endPage(page),
        ...(cleanHeader !== undefined
          ? addTable(clean, { ...place, header: cleanHeader })
          : addParagraph(clean, place)),
      ];
    },

    end() {
      return [...endBareHeading(-Infinity), ...endSection()];
    },

    state: () => structuredClone({ headings, isBare, pieces, repeated }),
  };
}

function sizeOf(pieces: Piece[]): number {
  return pieces.reduce((sum, piece) => sum + measureText(piece.text), 0);
}

/** The first row of the table in which a passage begins. */
function headerOf({ text, header = "" }: Piece): string {
  return header === "" || text === `${header}\n` ? "" : `${header}\n`;
}

/** The headings above the first piece that the heading of the passage does not name, as a paragraph. */
function missingHeadings(first: string | null, named: string | null): string {
  const names = named?.split(headingMark) ?? [];
  const missing = first?.split(headingMark).filter((part, i) => part !== names[i]) ?? [];
  return missing.length === 0 ? "" : `${missing.join(headingMark)}\n\n`;
}

/** The heading above most of the words. */
function headingOfMost(pieces: Piece[]): string | null {
  const sizes = new Map<string | null, number>();
  for (const { heading, text } of pieces) sizes.set(heading, (sizes.get(heading) ?? 0) + measureText(text));
  let most: [string | null, number] = [null, 0];
  for (const [heading, size] of sizes) if (size > most[1]) most = [heading, size];
  return most[0];
}

/** The number of pieces that make a passage: up to the end of a near paragraph, otherwise of a sentence. */
function countForPassage(pieces: Piece[]): number {
  let size = 0;
  let atSentence = 1;
  let atParagraph = 0;
  for (const [i, piece] of pieces.entries()) {
    if (piece.opensParagraph && size > usualSize * 0.6) atParagraph = i;
    size += measureText(piece.text);
    if (size > usualSize) break;
    atSentence = i + 1;
  }
  return atParagraph || atSentence;
}

/** The last sentences of a passage, or the last words where the last sentence is too long. */
function overlapOf(taken: Piece[]): Piece[] {
  // The next part of a table repeats its first row.
  if (taken.at(-1)!.header !== undefined) return [];
  const overlap: Piece[] = [];
  let size = 0;
  for (const piece of taken.toReversed()) {
    size += measureText(piece.text);
    if (size > overlapSize) break;
    overlap.unshift(piece);
  }
  const last = taken.at(-1)!;
  return overlap.length > 0 ? overlap : [{ ...last, text: lastWords(last.text), opensParagraph: false }];
}

/** The last sentence of a page, if it has no end there. */
function unfinishedOf(taken: Piece[]): Piece[] {
  return /[.!?…。！？｡]["'”’»」』）)\]]*\s*$/.test(taken.at(-1)!.text) ? [] : overlapOf(taken.slice(-1));
}

function lastWords(text: string): string {
  let tail = text.slice(-overlapSize);
  while (measureText(tail) > overlapSize) tail = tail.slice(Math.ceil(tail.length / 8));
  const space = tail.search(/\s\S/);
  return space === -1 ? tail.replace(/^[\uDC00-\uDFFF]/, "") : tail.slice(space + 1);
}

/** Cuts a row that is too long: between cells where there is one before the end. */
function cutRow(row: string): string[] {
  if (measureText(row) <= longestPiece) return [row];
  const parts: string[] = [];
  let part = "";
  for (
    const cell of row.split(/(?<= \| )/).flatMap((cell) => measureText(cell) <= usualSize ? [cell] : cutToLength(cell))
  ) {
    if (part !== "" && measureText(part) + measureText(cell) > longestPiece) {
      parts.push(part.trimEnd());
      part = "";
    }
    part += cell;
  }
  return [...parts, part.trimEnd()];
}

/** Cuts a sentence that is too long: at a line break, else at a space, else between any two characters. */
function cutToLength(text: string): string[] {
  const parts = [];
  let start = 0;
  let end = endOfSize(text, { start, size: longestPiece });
  while (end < text.length) {
    const window = text.slice(start, end);
    const atBreak = Math.max(window.lastIndexOf("\n"), 0) || Math.max(window.lastIndexOf(" "), 0);
    if (atBreak > 0) end = start + atBreak + 1;
    else if (/[\uD800-\uDBFF]$/.test(window)) end--;
    parts.push(text.slice(start, end));
    start = end;
    end = endOfSize(text, { start, size: longestPiece });
  }
  return [...parts, text.slice(start)];
}

function endOfSize(text: string, { start, size }: { start: number; size: number }): number {
  let end = Math.min(start + size, text.length);
  while (measureText(text.slice(start, end)) > size) end -= Math.ceil((end - start) / 8);
  return end;
}

/** Storable in Postgres, without control characters, white space at the ends of lines, and gaps within them. */
function cleanText(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    // deno-lint-ignore no-control-regex
    .replace(/[\x00-\x08\x0B\x0C\x0E-\x1F\x7F\u00AD\uFEFF]/g, "")
    .replace(/(?<=\S)[^\S\n]+/g, " ")
    .replace(/ ?\n\s*\n/g, "\n\n")
    .replace(/ \n/g, "\n")
    .trim()
    .toWellFormed();
}

/** The path to a section. Where it is too long, the outermost headings are left out. */
function joinHeadings(headings: string[]): string {
  const path = headings.join(headingMark);
  return path.length <= maxHeadingLength || headings.length === 1 ? path : joinHeadings(headings.slice(1));
}

/** The size of a text in characters, six to a word. One of Chinese, Japanese or Korean counts as 2.5. */
export function measureText(text: string): number {
  let size = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x2e80 && (unit <= 0x9fff || (unit >= 0xac00 && unit <= 0xd7af) || unit >= 0xf900)) size += 1.5;
  }
  return size;
}
