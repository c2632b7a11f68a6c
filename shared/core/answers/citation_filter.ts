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
/** The end of a text after which brackets are no citation. */
const notCited = new RegExp(
  [
    String.raw`://[^)>\s]*`,
    String.raw`\\`,
    // The index of an array, as in "items[0][1]".
    String.raw`[\p{L}\p{N}_)]\[0\]\S*`,
    "[=∈∉∪∩×] *",
    // The rows of a matrix, after the first.
    String.raw`\[\[[^[\]]*\](?:[,;\s]*\[[^[\]]*\])*[,;\s]+`,
  ].map((end) => `${end}$`).join("|"),
  "u",
);
/** The end of a text that names what the next number counts, in the languages of the pages. */
const label = new RegExp(
  "(?<![\\p{L}\\p{N}])(?:" + [
    "chapter|section|page|figure|fig\\.|table|step|part|volume|verse|article|paragraph|appendix|item|line|question",
    "equation|example|exercise|note|number|no\\.",
    "kapitel|abschnitt|seite|abbildung|abb\\.|tabelle|schritt|teil|band|artikel|absatz|anhang|punkt|zeile|frage|nummer|nr\\.",
    "chapitre|tableau|étape|partie|tome|annexe|ligne|numéro|n°",
    "capítulo|sección|página|figura|tabla|paso|parte|tomo|artículo|anexo|línea|pregunta|número",
    "seção|secção|tabela|passo|etapa|artigo|linha|pergunta",
    "(?:ال)?(?:فصل|قسم|صفحة|شكل|جدول|خطوة|جزء|مادة|سؤال|رقم)",
  ].join("|") + ") ?$",
  "iu",
);
/** The part of the text before brackets that is looked at, in UTF-16 units. */
const maxTail = 200;

/**
 * A filter for the text of a model that was given these sources, numbered from 1. Drops citations of other numbers,
 * with the space before them. What can be no citation stays as it is: links, code, intervals, series, matrices,
 * `items[0]`, "chapter [12]"; without sources, the whole text.
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
      const isCitation = list !== undefined && place.mayCite(next) && !isQuantity(list) &&
        (isSource(Number(list)) || !place.counts(space + list));
      const kept = isCitation ? describe(list, space!) : piece;
      place.pass(kept, mark);
      shown += kept;
      at += piece.length;
    }
    held = text.slice(at);
    return shown;
  }

  const isSource = (number: number) => given?.[number - 1] !== undefined;

  /** Returns true for numbers that are no citation: an interval such as `[0, 1]`, a series, the rows of a matrix. */
  function isQuantity(list: string): boolean {
    const numbers = readNumbers(list);
    if (numbers.length <= 1) return false;
    const ascends = numbers.every((number, index) => index === 0 || number > numbers[index - 1]!);
    const [first = 0, ...others] = list.split(/[;；]/).map((row) => row.split(/[,，]/).length);
    const isMatrix = first > 1 && others.length > 0 && others.every((length) => length === first);
    return isMatrix || new Set(numbers).size < numbers.length || !numbers.some(isSource) ||
      ascends && !numbers.every(isSource);
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
  /** The end of the text so far. */
  #tail = "";

  /** @param next the character after the brackets */
  mayCite(next: string | undefined): boolean {
    const isLink = next === "(" || next === ":" && this.#isLineStart;
    const isFirstRow = this.#tail.endsWith("[") && next !== "]";
    return this.#mark === null && !isLink && !isFirstRow && !notCited.test(this.#tail);
  }

  /** Tells whether the word before a number in brackets says what it counts, as in "chapter [12]" and `items[0]`. */
  counts(number: string): boolean {
    return label.test(this.#tail) && /^ ?\d+$/.test(number) || number === "0" && /[\p{L}\p{N}_)]$/u.test(this.#tail);
  }

  /** Moves on, past a piece of the text. */
  pass(piece: string, mark: string | undefined): void {
    if (mark !== undefined) this.#passMark(mark);
    if (piece === "\n") {
      // What is not closed at the end of its paragraph is no code.
      if (this.#isLineStart && !this.#isBlock) this.#mark = null;
      this.#isFirstLine = false;
      this.#isLineStart = true;
    } else this.#isLineStart &&= lineMarks.test(piece);
    this.#tail = (this.#tail + piece).slice(-maxTail);
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
