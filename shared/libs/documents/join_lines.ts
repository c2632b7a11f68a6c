import { raiseText, writeLink } from "./write_marks.ts";

/** A run of text on a page, as pdf.js gives it: `transform` ends with its place, counted from the bottom left. */
export type TextItem = {
  str: string;
  fontName?: string;
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
type PageLink = { rect: number[]; address: string };

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
  for (const item of placeAccents(items)) {
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
    return { text: closeUp(str), isReversed: dir === "rtl", x: left, end: left + width, y: bottom, height };
  }
  const scale = Math.hypot(transform[0]!, transform[1]!) || 1;
  const [cos, sin] = [transform[0]! / scale, transform[1]! / scale];
  const x = left * cos + bottom * sin;
  return { text: str, isReversed: dir === "rtl", x, end: x + width, y: bottom * cos - left * sin, height };
}

/** Letters that are set apart for their looks are a word: pdf.js takes the gaps for spaces. Those of a list stay apart. */
function closeUp(text: string): string {
  if (!/^(?:[\p{Lu}\p{Ll}]{1,2} ){3,}[\p{Lu}\p{Ll}]{1,2}$/u.test(text)) return text;
  const parts = text.split(" ");
  const isList = parts.every((part, i) => i === 0 || part.codePointAt(0) === parts[i - 1]!.codePointAt(0)! + 1);
  return isList || parts.filter((part) => part.length === 1).length * 3 < parts.length * 2 ? text : parts.join("");
}

/** Returns whether a run stands right behind a line that had ended: a raised number, or what follows one. */
function isBeside(run: Run, { body, last }: { body: Run; last: Run }): boolean {
  const height = Math.max(run.height, body.height);
  return Math.abs(run.y - body.y) < height / 2 && Math.abs(run.x - last.end) < height / 2;
}

/** Returns whether a run belongs to another line that pdf.js has not begun: it is left of the last, higher or lower. */
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

/** The ideographs of the radicals from U+2E80 on, as Unicode equates them; compatibility forms do not include them. */
const ideographs =
  "⺀厂乛乚乙亻冂⺇刀刂卜㔾小小兀尣尢⺑巳幺彑彐忄心扌攵⺚旡日月歺母民氵氺灬爫爫丬牛犭王⺪目示礻⺮糹纟罓罒㓁冗⺵羊⺷⺸耂肀聿肉⺽艹艹艹虎衤覀西见角⻇讠贝⻊车辶辶辶邑钅長镸长门⻕阝雨青韦页风飞食⻞飠饣⻡马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟⻴⻵⻶⻷⻸⻹⻺⻻⻼⻽⻾⻿";
const firstRadical = 0x2e80;

/** Forms of letters that fonts name: radicals, ligatures, Hebrew and Arabic forms, signs of vertical lines. */
const forms = /[\u2E80-\u2FDF\uF900-\uFB4F\uFB50-\uFDFF\uFE10-\uFE19\uFE30-\uFE48\uFE70-\uFEFC]/g;

/** Writes the letters that a font names by their form as people type them. */
export function writeUsualLetters(text: string): string {
  return text.replace(forms, (form) => {
    const usual = form.normalize("NFKC");
    // A mark over nothing is a mark over a space there.
    return usual !== form
      ? usual.replace(/^[ \u0640](?=\p{M})/u, "")
      : ideographs[form.charCodeAt(0) - firstRadical] ?? form;
  });
}

/** Accents that stand for themselves, and the marks over or under a letter that they are. */
const accents = "`´ˆ˜¯˘˙¨˚˝ˇ¸˛";
const marks = "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0327\u0328";
const accentAtEdge = new RegExp(`^[${accents}]|[${accents}]$`);

/** Joins accents with the letters that they are printed over: TeX sets them one by one, with a step back between. */
function placeAccents(items: TextItem[]): TextItem[] {
  if (!items.some(({ str }) => accentAtEdge.test(str))) return items;
  const placed: TextItem[] = [];
  for (const item of items) {
    const last = placed.at(-1);
    const letter = last && joinAccent(last, item);
    if (letter !== undefined) {
      const width = Math.max(0, item.transform[4]! - last!.transform[4]!);
      placed[placed.length - 1] = { ...last!, str: last!.str.slice(0, -1), width };
    }
    // A mark under it is narrower: what follows is no space.
    const isUnder = /[\u0327\u0328]$/.test(letter?.normalize("NFD") ?? "");
    const rest = item.str.slice(1).replace(/^ (?=\p{Ll})/u, isUnder ? "" : " ");
    placed.push(letter === undefined ? item : { ...item, str: letter + rest });
  }
  return placed;
}

/** The letter that two items make where the second begins over the end of the first. */
function joinAccent({ str, width, transform: [, , , , x = 0, y = 0] }: TextItem, next: TextItem): string | undefined {
  const overlap = (x + width - next.transform[4]!) / next.height;
  if (!(overlap > 0.2 && overlap < 1.2) || Math.abs(next.transform[5]! - y) > next.height / 2) return undefined;
  const [before, behind] = [str.at(-1) ?? "", next.str[0] ?? ""];
  const [accent, letter] = accents.includes(before) ? [before, behind] : [behind, before];
  const mark = accent && marks[accents.indexOf(accent)];
  const composed = mark && `${{ "ı": "i", "ȷ": "j" }[letter] ?? letter}${mark}`.normalize("NFC");
  return composed?.length === 1 ? composed : undefined;
}

/** The letters of TeX's fonts (T1) by their codes, from 16 and from 128 on, and of some other codes. */
const letters16 = ["“", "”", "„", "«", "»", "–", "—", "", "", "ı", "ȷ", "ff", "fi", "fl", "ffi", "ffl"];
const letters128 = "ĂĄĆČĎĚĘĞĹĽŁŃŇŊŐŔŘŚŠŞŤŢŰŮŸŹŽŻĲİđ§ăąćčďěęğĺľłńňŋőŕřśšşťţűůÿźžżĳ¡¿£";
const otherLetters: Record<string, string> = { "×": "Œ", "ß": "SS", "÷": "œ", "ÿ": "ß" };

/** Writes the letters of TeX's fonts that are pictures of them: pdf.js takes their codes for characters. */
export function writeTexLetters(items: TextItem[]): TextItem[] {
  const fontsWith = (code: RegExp) => new Set(items.flatMap(({ str, fontName }) => code.test(str) ? [fontName] : []));
  // deno-lint-ignore no-control-regex
  const others = fontsWith(/[\x01-\x08\x0e\x0f]/);
  // deno-lint-ignore no-control-regex
  const sure = fontsWith(/\p{L}[\x1b-\x1e]|[\x1b-\x1e]\p{Ll}/u).difference(others);
  if (sure.size === 0) return items;
  // Those of headings may have no other ligatures.
  // deno-lint-ignore no-control-regex
  const fonts = sure.union(fontsWith(/\p{L}[\x1fÿ]/u).difference(others));
  const read = (letter: string) => {
    const code = letter.charCodeAt(0);
    return otherLetters[letter] ?? (code < 128 ? letters16[code - 16] : letters128[code - 128])!;
  };
  return items.map((item) =>
    // deno-lint-ignore no-control-regex
    fonts.has(item.fontName) ? { ...item, str: item.str.replace(/[\x10-\x1f\x80-\xbf×ß÷ÿ]/g, read) } : item
  );
}

/** A part of a line, with its letters in the order in which they are read, or as they are seen from left to right. */
type SeenRun = { text: string; isReversed: boolean; x: number; end: number; height: number };

/** Letters that are written from right to left, with their marks and joiners, without the digits among them. */
const letters = "\\u200C\\u200D\\u0590-\\u065F\\u066E-\\u06EF\\u06FA-\\u08FF\\uFB1D-\\uFDFF\\uFE70-\\uFEFC";
const rightToLeft = new RegExp(`[${letters}]`);
/** Between numbers they are a part of them; `-` and `+` are none in lines with Arabic letters. */
const signs = { hebrew: ".,:/+\\-", arabic: ".,:/\\u066B\\u066C" };
const segments = { hebrew: segmentOf(signs.hebrew), arabic: segmentOf(signs.arabic) };

/** Such letters; words of another script with all between them; a number; what stands between. */
function segmentOf(signs: string): RegExp {
  return new RegExp(
    `[${letters}]+|\\p{L}(?:[^${letters}]*[\\p{L}\\p{N}\\p{M}])?|\\p{N}+(?:[${signs}]\\p{N}+)*|[^\\p{L}\\p{N}\\u200C\\u200D]+`,
    "gu",
  );
}

/** pdf.js turns around the letters of one glyph. The only such glyph of more than two letters is that of this word. */
const [allahTurned, allah] = ["\u0627\u0647\u0644\u0644", "\u0627\u0644\u0644\u0647"];

/** Returns whether any letters are read from right to left. */
function hasLettersFromRight(runs: { text: string }[]): boolean {
  return runs.some(({ text }) => rightToLeft.test(text));
}

/** Returns whether most letters of a line, or of a page, are read from right to left. */
function readsFromRight(runs: { text: string }[]): boolean {
  if (!hasLettersFromRight(runs)) return false;
  let balance = 0;
  for (const { text } of runs) {
    for (const [letter] of text.matchAll(/\p{L}/gu)) balance += rightToLeft.test(letter) ? 1 : -1;
  }
  return balance > 0;
}

/**
 * The text of a line that is read from right to left. Words of other scripts and numbers keep their order. Where letters
 * lie over each other there is no space, whatever pdf.js says: a gap between two runs is one.
 */
function readFromRight(runs: SeenRun[]): string {
  const script = runs.some(({ text }) => /[\u0600-\u065F\u0671-\u06EF\uFB50-\uFDFF\uFE70-\uFEFC]/.test(text))
    ? "arabic"
    : "hebrew";
  const joined = new RegExp(`^[${signs[script]}]?$`);
  const read: string[] = [];
  /** The parts that are read from left to right, and those that stand behind them, each with the right end first. */
  let forward: string[] = [];
  let behind: string[] = [];

  function endForward(): void {
    read.push(...forward.reverse(), ...behind);
    [forward, behind] = [[], []];
  }
  function goesOn(part: string): boolean {
    return forward.length > 0 &&
      (/\p{L}/u.test(part + forward.at(-1)!) || joined.test(behind.join("")));
  }

  for (const part of seenFromRight(runs, segments[script])) {
    if (rightToLeft.test(part)) {
      endForward();
      read.push(part);
    } else if (/[\p{L}\p{N}]/u.test(part)) {
      if (goesOn(part)) forward.push(...behind, part);
      else {
        endForward();
        forward.push(part);
      }
      behind = [];
    } else if (forward.length > 0) {
      behind.push(part);
    } else {
      read.push(part);
    }
  }
  endForward();
  return turnBrackets(read.join("")).replaceAll(allahTurned, allah);
}

/** The segments of a line, the one at its right end first. */
function seenFromRight(runs: SeenRun[], segment: RegExp): string[] {
  const parts: string[] = [];
  let end: number | undefined;
  for (const run of runs.toSorted((one, other) => one.x - other.x)) {
    if (end !== undefined && run.x - end > run.height * 0.1) parts.push(" ");
    end = Math.max(end ?? run.end, run.end);
    const found = run.text.match(segment) ?? [];
    for (const part of run.isReversed ? found.reverse() : found) {
      const isBetween = !run.isReversed && !/[\p{L}\p{N}]/u.test(part);
      parts.push(isBetween ? [...part].reverse().join("") : part);
    }
  }
  return parts.reverse();
}

/** Fonts name brackets as they look, and in a line from right to left they face the other way. */
function turnBrackets(text: string): string {
  const brackets = text.match(/[()[\]]/g) ?? [];
  // Some programs name them as they are meant.
  const isMeant = "([".includes(brackets[0] ?? "(") && brackets.some((bracket) => ")]".includes(bracket));
  return isMeant ? text : text.replace(/[()[\]]/g, (bracket) => ")(]["["()[]".indexOf(bracket)]!);
}
