import type { Line } from "./join_lines.ts";
import { headingHeight } from "./lay_out_page.ts";

/** The lines of a page, and those at its upper and lower edge that are no larger than its text. */
export type Page = { number: number; lines: Line[]; head: Line[]; foot: Line[] };

/** A head or a foot has at most so many lines. */
const edge = 3;
const longestLine = 200;
/** A longer text beside the number of the page says something. */
const longestNumber = 15;

export function createPage(number: number, lines: Line[]): Page {
  const fromTop = lines.toSorted((one, other) => other.y - one.y);
  // The same heading on several pages names what is below it on each.
  const limit = headingHeight(lines);
  const isSmall = ({ height }: Line) => height <= limit;
  return { number, lines, head: fromTop.slice(0, edge).filter(isSmall), foot: fromTop.slice(-edge).filter(isSmall) };
}

/**
 * Leaves out the running heads and feet of a page, which stand at the same place of most pages around it, with the same
 * text but for the number of the page. The first page of a head keeps it, and the last one of a foot.
 */
export function withoutRunningLines(page: Page, around: Page[]): Line[] {
  const head = page.head.filter((line) => isRunning(line, { page, around, edgeOf: ({ head }) => head, step: -1 }));
  const foot = page.foot.filter((line) => isRunning(line, { page, around, edgeOf: ({ foot }) => foot, step: 1 }));
  const gone = new Set([...head, ...foot]);
  // The lines of a short page are both.
  return page.lines.filter((line) => gone.size === page.lines.length ? !head.includes(line) : !gone.has(line));
}

type Place = { page: Page; around: Page[]; edgeOf: (page: Page) => Line[]; step: 1 | -1 };

function isRunning(line: Line, { page, around, edgeOf, step }: Place): boolean {
  const text = line.text.trim();
  if (text.length > longestLine || /\p{L}/u.test(text) && /[.!?。！？]$/.test(text)) return false;
  const found = around.filter((other) =>
    edgeOf(other).some((its) => isRepeated(line, its, other.number - page.number))
  );
  // Left and right pages may differ.
  const isOnMost = found.length >= Math.min(2, around.length);
  const words = text.replace(/[\d\s]/g, "");
  if (/\d/.test(text) && words.length <= longestNumber && isOnMost) return found.length > 0;
  return isOnMost && found.some(({ number }) => (number - page.number) * step > 0);
}

/** Returns whether two lines are the same but for numbers that count the pages. */
function isRepeated(line: Line, other: Line, pages: number): boolean {
  if (Math.abs(line.y - other.y) > line.height / 2 || Math.abs(line.height - other.height) > line.height / 10) {
    return false;
  }
  const [parts, others] = [line, other].map(({ text }) => text.trim().split(/(\d+)/));
  return parts!.length === others!.length && parts!.every((part, i) => {
    const itsPart = others![i]!;
    return part === itsPart || i % 2 === 1 && Number(itsPart) - Number(part) === pages;
  });
}
