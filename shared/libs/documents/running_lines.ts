import type { Line } from "./join_lines.ts";
import { headingHeight } from "./lay_out_page.ts";

/** The lines of a page, and those at its upper and lower edge that are no larger than its text. */
export type Page = { number: number; lines: Line[]; edges: Line[] };

/** A head or a foot has at most so many lines. */
const edge = 3;
const longestLine = 200;
/** A longer text beside the number of the page says something. */
const longestNumber = 15;
const pageWord = /^\P{L}*$|(?<!\p{L})(?:pages?|pp?|s(?:eite)?|p[áa]g(?:ina)?|صفحة|第)\P{L}*$/iu;
/** Such as "of 3". */
const shortRest = /^\P{L}*(?:\p{L}{1,3}\P{L}*)?$/u;
/** A word that does not only name the page. */
const ownWord = /(?<!\p{L})(?!(?:pages?|seite|p[áa]gina|صفحة)(?!\p{L}))\p{L}{4,}/iu;
const romanNumber = /^[-–—\s]*[ivxlc]{1,7}[-–—\s]*$/i;

export function createPage(number: number, lines: Line[]): Page {
  const fromTop = lines.toSorted((one, other) => other.y - one.y);
  // The same heading on several pages names what is below it on each.
  const limit = headingHeight(lines);
  const edges = fromTop.filter(({ height }, i) => height <= limit && (i < edge || i >= lines.length - edge));
  return { number, lines, edges };
}

/**
 * Leaves out the running heads and feet of a page, which stand at the same place of most pages around it, with the same
 * text but for the number of the page. The first page of a head keeps it, and the last one of a foot. Pages with nothing
 * else, such as "Room 1" and "Room 2", keep what counts them, unless they may be scans.
 */
export function withoutRunningLines(page: Page, around: Page[], { hasPictures }: { hasPictures: boolean }): Line[] {
  const places = [page, ...around].flatMap(({ edges }) => edges.map(({ y }) => y));
  // A page of few lines alone does not tell which of them is a foot.
  const middle = (Math.max(...places) + Math.min(...places)) / 2;
  const running = new Map<Line, "gone" | "head" | "foot">();
  for (const line of page.edges) {
    const [place, step] = line.y > middle ? ["head", -1] as const : ["foot", 1] as const;
    const { isRunning, isNumber, found } = findRunning(line, page, around);
    const isElsewhere = found.some(({ number }) => (number - page.number) * step > 0);
    if (isRunning) running.set(line, isNumber || isElsewhere ? "gone" : place);
  }
  const linesAt = (place?: "head" | "foot") => page.lines.filter((line) => running.get(line) === place);
  // Programs write them in any order, but they are no part of a sentence that goes on.
  const left = [...linesAt("head"), ...linesAt(), ...linesAt("foot")];
  if (left.length > 0 || hasPictures || around.some(({ lines, edges }) => lines.length > edges.length)) return left;
  return page.lines.filter((line) => ownWord.test(line.text) && findAlike(line, page, around).isCounting);
}

/** The pages that have the same line, and whether it counts them. */
function findAlike(line: Line, page: Page, around: Page[]): { found: Page[]; isCounting: boolean } {
  const found = around.filter(({ number, edges }) => edges.some((its) => isRepeated(line, its, number - page.number)));
  return { found, isCounting: found.some(({ edges }) => edges.every((its) => its.text !== line.text)) };
}

/** Returns whether a line is a head or a foot, on which pages it is too, and whether it is there for their number. */
function findRunning(line: Line, page: Page, around: Page[]) {
  const text = line.text.trim();
  const { found, isCounting } = findAlike(line, page, around);
  // Left and right pages may differ.
  const alike = around.filter(({ number }) => (number - page.number) % 2 === 0);
  const isOnMost = alike.every((other) => found.includes(other)) || found.length >= Math.min(2, around.length);
  const isSentence = /\p{L}/u.test(text) && /[.!?。！？]$/.test(text);
  const words = text.replace(/[\d\s]/g, "");
  return {
    isRunning: found.length > 0 && isOnMost && !isSentence && text.length <= longestLine,
    // What is the same on all pages does not count them.
    isNumber: isCounting && (romanNumber.test(text) || /\d/.test(text) && words.length <= longestNumber),
    found,
  };
}

/** Returns whether two lines are the same but for numbers that count the pages. */
function isRepeated(line: Line, other: Line, pages: number): boolean {
  if (Math.abs(line.y - other.y) > line.height / 2 || Math.abs(line.height - other.height) > line.height / 10) {
    return false;
  }
  if ([line, other].every(({ text }) => romanNumber.test(text))) return true;
  const [parts, others] = [line, other].map(({ text }) => text.trim().split(/(\d+)/));
  return parts!.length === others!.length && parts!.every((part, i) => {
    const itsPart = others![i]!;
    return part === itsPart || i % 2 === 1 && Number(itsPart) - Number(part) === pages && isAtEdge(parts!, i);
  });
}

/** Returns whether a number stands where those of pages do: before or after the words, or behind the word for it. */
function isAtEdge(parts: string[], place: number): boolean {
  return pageWord.test(parts.slice(0, place).join("")) || shortRest.test(parts.slice(place + 1).join(""));
}
