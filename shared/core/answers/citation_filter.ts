import type { Source } from "./stored_answer.ts";

/** Rewrites the citations in a model's text, such as `[3]`, while the text arrives. */
export interface CitationFilter {
  /**
   * Returns the text that can be shown, with citations numbered in the order in which they first name a source. Holds
   * back a space, backticks, and what may be the beginning of a citation, until more text arrives. The result does not
   * depend on where the text is split.
   */
  read(text: string): string;
  /** Returns the text that was held back. */
  end(): string;
  /** Drops all further citations: the text is not based on the sources. */
  forget(): void;
  /** The sources in the order of the prompt. Those that the text names have a `number`. */
  readonly sources: Source[] | null;
}

const list = String.raw`\^? ?\d{1,3}(?: ?[,;，、–-] ?\^?\d{1,3}){0,9} ?`;
const listSoFar = String.raw`[\d ,;，、:^–-]{0,80}`;
/** A place in a search of OpenAI's, which models also write where there was none, such as `4:0`. */
const foreign = String.raw`\d{1,3}:\d{1,3}`;
const remark = String.raw`†[^】\n]{0,60}`;

/** A piece of a text: a mark of code, a citation, what may be the beginning of one at the end, or anything else. */
const nextPiece = new RegExp(
  [
    "(?<mark>`+|~+)",
    String.raw`(?<space> ?)(?:\[(?<list>${list})\]|【(?<wideList>${list}|${foreign})(?:${remark})?】)`,
    String.raw`(?<begun> ?(?:\[${listSoFar}|【${listSoFar}(?:${remark})?)?$)`,
    "(?:[^`~\\n\\[【 ]| (?![\\[【 ]|$))+",
    "[^]",
  ].join("|"),
  "y",
);

/** Marks that may come before a block of code in its line: those of quotations and lists. */
const lineMarks = /^[\s>*+\-\d.)]*$/;
/** The end of a word that a number in brackets is part of: the address of a page, or a backslash. */
const openWord = /:\/\/[^)>]*$|\\$/;
/** The part of a word that is looked at, in UTF-16 units. */
const maxWord = 200;

/**
 * A filter for the text of a model that was given these sources, numbered from 1. Drops citations of other numbers,
 * with the space before them. Links, code, intervals, scales and other text in brackets stay as they are; without
 * sources, the whole text.
 */
export function createCitationFilter(given: Source[] | null): CitationFilter {
  const place = new Place();
  const numbers = new Map<number, number>();
  let sources = given;
  let held = "";

  function rewrite(text: string, isEnd: boolean): string {
    let shown = "";
    let at = 0;
    while (at < text.length) {
      nextPiece.lastIndex = at;
      const match = nextPiece.exec(text)!;
      const [piece] = match;
      const { mark, begun, space, list = match.groups!.wideList } = match.groups!;
      const next = text[at + piece.length];
      if (!isEnd && next === undefined && (mark ?? begun ?? list) !== undefined) break;
      const isCitation = list !== undefined && place.mayCite(next) && !isQuantity(list);
      const kept = isCitation ? describe(list, space!) : piece;
      place.pass(kept, mark);
      shown += kept;
      at += piece.length;
    }
    held = text.slice(at);
    return shown;
  }

  /** Returns true for numbers that are no citation, such as the interval `[0, 1]` or the scale `[1-10]`. */
  function isQuantity(list: string): boolean {
    const [first = 0, ...others] = readNumbers(list);
    const isRange = /[–-]/.test(list);
    return others.length > 0 && (first === 0 || isRange && others.at(-1)! > (given?.length ?? 0));
  }

  function describe(list: string, space: string): string {
    const named = new Set(readNumbers(list).map(numberOf).filter((number) => number !== undefined));
    return named.size === 0 ? "" : `${space}${[...named].map((number) => `[${number}]`).join("")}`;
  }

  function numberOf(asked: number): number | undefined {
    if (numbers.has(asked)) return numbers.get(asked);
    const source = sources?.[asked - 1];
    if (source === undefined) return;
    const number = numbers.size + 1;
    numbers.set(asked, number);
    sources = sources!.with(asked - 1, { ...source, number });
    return number;
  }

  return {
    read: (text) => given === null ? text : rewrite(held + text, false),
    end: () => rewrite(held, true),
    forget() {
      sources = [];
      numbers.clear();
    },
    get sources() {
      return sources;
    },
  };
}

/** Finds the citations of an answer, such as `[3]`, as the filter has left them. Positions are in UTF-16 units. */
export function findCitations(text: string): { number: number; start: number; end: number }[] {
  const place = new Place();
  const found = [];
  for (let at = 0; at < text.length;) {
    nextPiece.lastIndex = at;
    const match = nextPiece.exec(text)!;
    const [piece] = match;
    const { mark, space = "", list } = match.groups!;
    const end = at + piece.length;
    if (list !== undefined && /^\d+$/.test(list) && place.mayCite(text[end])) {
      found.push({ number: Number(list), start: at + space.length, end });
    }
    place.pass(piece, mark);
    at = end;
  }
  return found;
}

/** The text of an answer without its citations, as a model is given it. */
export function dropCitations(text: string): string {
  // Most answers have none.
  if (!text.includes("[")) return text;
  const filter = createCitationFilter([]);
  return filter.read(text) + filter.end();
}

/** The numbers of a list such as `1, 3` or `2-4`. */
function readNumbers(list: string): number[] {
  return list.split(/[,;，、]/).flatMap((part) => {
    const [first = 0, last = first] = part.split(/[–-]/).map((number) => Number(number.replace("^", "")));
    // A range is at most as long as numbers have digits.
    return Array.from({ length: Math.max(last - first, 0) + 1 }, (_, index) => first + index);
  });
}

/** Follows a text in Markdown, and tells where a number in brackets can be a citation. */
class Place {
  /** The backticks or tildes that the present code ends with; null outside of code. */
  #mark: string | null = null;
  #isBlock = false;
  /** True in the line that begins a block of code. */
  #isFirstLine = false;
  /** True if the line has no text so far. */
  #isLineStart = true;
  #word = "";

  /** @param next the character after the number in brackets */
  mayCite(next: string | undefined): boolean {
    const isLink = next === "(" || next === ":" && this.#isLineStart;
    return this.#mark === null && !isLink && !openWord.test(this.#word);
  }

  /** Moves on, past a piece of the text. */
  pass(piece: string, mark: string | undefined): void {
    if (mark !== undefined) this.#passMark(mark);
    if (piece === "\n") {
      // What is not closed at the end of its paragraph is no code.
      if (this.#isLineStart && !this.#isBlock) this.#mark = null;
      this.#isFirstLine = false;
      this.#isLineStart = true;
      this.#word = "";
      return;
    }
    this.#isLineStart &&= lineMarks.test(piece);
    const word = this.#word + piece;
    this.#word = word.slice(word.lastIndexOf(" ") + 1).slice(-maxWord);
  }

  #passMark(mark: string): void {
    const opensBlock = this.#isLineStart && mark.length >= 3;
    if (this.#isBlock && !this.#isFirstLine) {
      if (opensBlock && mark.startsWith(this.#mark!)) this.#end();
    } else if (mark === this.#mark) this.#end();
    else if (this.#mark === null && (opensBlock || mark.startsWith("`"))) {
      this.#mark = mark;
      this.#isBlock = this.#isFirstLine = opensBlock;
    }
  }

  #end(): void {
    this.#mark = null;
    this.#isBlock = false;
  }
}
