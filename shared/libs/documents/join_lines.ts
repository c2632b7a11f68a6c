import { raiseText } from "./raise_text.ts";
import { hasLettersFromRight, readFromRight, readsFromRight, type SeenRun } from "./read_from_right.ts";
import { writeLink } from "./write_link.ts";
import { writeUsualLetters } from "./usual_letters.ts";

/** A run of text on a page, as pdf.js gives it: `transform` ends with its place, counted from the bottom left. */
export type TextItem = {
  str: string;
  dir: string;
  transform: number[];
  width: number;
  height: number;
  hasEOL: boolean;
};

/**
 * A line of a page: `x` is where it begins, `end` where it ends, and `y` its base, as seen by a reader who holds the page
 * so that the line is level. In a line from right to left, both count to the left.
 */
export type Line = {
  text: string;
  x: number;
  end: number;
  y: number;
  height: number;
  /** Its parts, where wide gaps are between them. */
  cells?: Cell[];
  /** Of a table, whose rows are the lines of `text`: the first row. */
  header?: string;
};

/** A part of a line. */
export type Cell = { text: string; x: number; end: number };

/** A part of a page that leads to an address: left, bottom, right and top. */
export type PageLink = { rect: number[]; address: string };

type Run = SeenRun & { y: number; address?: string };

/** More links are a list of them, and each is compared with each line. */
const maxLinks = 200;

/** Joins the runs of a page to lines, in the order of the file. The address of a link follows its words. */
export function joinLines(items: TextItem[], links: PageLink[] = []): Line[] {
  const lines: Run[][] = [];
  let isEnded = true;
  /** The tallest run of the line, whose base is that of the line, and its last. */
  let body: Run | undefined;
  let last: Run | undefined;
  for (const item of items) {
    if (item.str !== "") {
      const run = readRun(item);
      const isBlank = run.text.trim() === "";
      const begins = body === undefined || (isEnded ? !isBeside(run, { body, last: last! }) : isApart(run, last!));
      if (!isBlank && begins) {
        lines.push([]);
        body = undefined;
      }
      if (!isBlank) {
        isEnded = false;
        if (body === undefined || run.height > body.height * 1.1) body = run;
        last = run;
      }
      if (!isBlank || !isEnded) lines.at(-1)?.push(run);
    }
    if (item.hasEOL) isEnded = true;
  }
  const lastOfEach = links.filter(({ address }, i) => address !== links[i + 1]?.address);
  for (const link of lastOfEach.slice(0, maxLinks)) addAddress(lines, link);
  // Most pages have no such letters, and need not be looked at line by line.
  if (!lines.some(hasLettersFromRight)) return lines.map((runs) => joinRuns(runs, false));
  // Lines with more words of another script are read in the direction of their page.
  const isReversed = readsFromRight(lines.flat()) ? hasLettersFromRight : readsFromRight;
  return lines.map((runs) => joinRuns(runs, isReversed(runs)));
}

function addAddress(lines: Run[][], { rect: [left = 0, bottom = 0, right = 0, top = 0], address }: PageLink): void {
  for (const line of lines) {
    const middle = line[0]!.y + line[0]!.height / 3;
    if (middle < bottom || middle > top) continue;
    const isLinked = ({ x, end }: Run) =>
      isBetween((x + end) / 2, left, right) || isBetween((left + right) / 2, x, end);
    const run = line.findLast((run) => run.text.trim() !== "" && isLinked(run));
    if (run === undefined) continue;
    run.address ??= writeLink(run.text, address).slice(run.text.length);
    return;
  }
}

function isBetween(place: number, from: number, to: number): boolean {
  return place >= from && place <= to;
}

/** Turns the page so that the run is level. */
function readRun({ str, dir, transform, width, height }: TextItem): Run {
  const [left, bottom] = [transform[4]!, transform[5]!];
  if (transform[1] === 0) {
    return { text: str, isReversed: dir === "rtl", x: left, end: left + width, y: bottom, height };
  }
  const scale = Math.hypot(transform[0]!, transform[1]!) || 1;
  const [cos, sin] = [transform[0]! / scale, transform[1]! / scale];
  const x = left * cos + bottom * sin;
  return { text: str, isReversed: dir === "rtl", x, end: x + width, y: bottom * cos - left * sin, height };
}

/** Returns whether a run stands right behind a line that had ended: a raised number, or what follows one. */
function isBeside(run: Run, { body, last }: { body: Run; last: Run }): boolean {
  const height = Math.max(run.height, body.height);
  return Math.abs(run.y - body.y) < height / 2 && Math.abs(run.x - last.end) < height / 2;
}

/**
 * Returns whether a run belongs to another line though pdf.js has not ended the line: it stands left of what is before
 * it, as in forms, or higher or lower.
 */
function isApart(run: Run, last: Run): boolean {
  if (run.isReversed || last.isReversed) return false;
  const height = Math.max(run.height, last.height);
  // A part of a formula may stand right behind.
  const isFarAway = run.x - last.end > height && Math.abs(run.y - last.y) > height * 0.4;
  return run.x < last.end - height * 0.75 || isFarAway;
}

function joinRuns(runs: Run[], isReversed: boolean): Line {
  // Most lines of most files.
  if (runs.length === 1 && !isReversed) {
    const [{ text, address = "", x, end, y, height }] = runs as [Run];
    return { text: writeUsualLetters(text) + address, x, end, y, height };
  }
  return joinManyRuns(runs, isReversed);
}

function joinManyRuns(runs: Run[], isReversed: boolean): Line {
  const shown = runs.filter(({ text }) => text.trim() !== "");
  const height = shown.reduce((most, run) => Math.max(most, run.height), 0);
  const y = (shown.find((run) => run.height > height * 0.9) ?? shown[0]!).y;
  const left = shown.reduce((least, run) => Math.min(least, run.x), Infinity);
  const right = shown.reduce((most, run) => Math.max(most, run.end), -Infinity);
  const close = closeRuns(shown, height);
  // A smaller number elsewhere in the line says something of its own.
  const raise = (run: Run) => close.has(run) ? raiseRun(run, { y, height }) : run.text;
  const addresses = runs.map(({ address = "" }) => address);
  if (isReversed) {
    const text = readFromRight(shown.map((run) => ({ ...run, text: raise(run) })));
    return { text: writeUsualLetters(text) + addresses.join(""), x: -right, end: -left, y, height };
  }
  const texts = runs.map((run, i) => addresses[i] === "" ? raise(run) : raise(run).trimEnd() + addresses[i]);
  const cells = splitCells(runs, { texts, height });
  const text = writeUsualLetters(texts.join(""));
  return { text, x: shown[0]!.x, end: right, y, height, ...(cells.length > 1 && { cells }) };
}

/** The runs that stand right beside another one. */
function closeRuns(runs: Run[], height: number): Set<Run> {
  const isClose = (one?: Run, other?: Run) =>
    one !== undefined && other !== undefined &&
    Math.min(Math.abs(other.x - one.end), Math.abs(one.x - other.end)) < height / 2;
  return new Set(runs.filter((run, i) => isClose(runs[i - 1], run) || isClose(run, runs[i + 1])));
}

/** The parts of a line from left to right. Narrower gaps are spaces. */
function splitCells(runs: Run[], { texts, height }: { texts: string[]; height: number }): Cell[] {
  const cells: Cell[] = [];
  for (const [i, { text, x, end }] of runs.entries()) {
    const cell = cells.at(-1);
    const isBlank = text.trim() === "";
    if (cell !== undefined && (isBlank || x - cell.end < height)) {
      cell.text += texts[i]!;
      if (!isBlank) cell.end = end;
    } else if (!isBlank) cells.push({ text: texts[i]!, x, end });
  }
  return cells.map(({ text, ...place }) => ({ text: writeUsualLetters(text), ...place }));
}

/** A smaller run above or below the base of the line is a raised or lowered one. */
function raiseRun(run: Run, { y, height }: { y: number; height: number }): string {
  if (run.height === 0 || run.height > height * 0.9) return run.text;
  const shift = (run.y - y) / height;
  // Browsers make them hardly smaller, but so do headings that are set in capitals.
  if (run.height > height * 0.8 && Math.abs(shift) < 0.2) return run.text;
  return shift > 0.15 ? raiseText(run.text, "raised") : shift < -0.05 ? raiseText(run.text, "lowered") : run.text;
}
