import type { TextItem } from "./join_lines.ts";
import { parsePdfObject } from "./parse_pdf_object.ts";

/** The text that a marked part of a page stands for, whatever its glyphs say; null where none is given. */
export type ActualText = string | null;
/** The beginning or the end of a marked part, which pdf.js gives between two runs of text. */
export type Mark = { type: string };

const mostMarks = 50_000;
/** A text; a string, which is skipped, to the end where it has none; an operator of marked parts. */
const token =
  /\/ActualText[\s\0]*(<[\dA-Fa-f\s\0]*>|\((?:\\[^]|[^\\()])*\))|\((?:\\[^]|[^\\()])*(?:\)|\\?$)|(?<![^\s\0>)\]])(BMC|BDC)(?![^\s\0/<([%])/g;

/** The texts of the marked parts of a page, in the order of its content. */
export function findActualTexts(content: string): ActualText[] {
  const texts: ActualText[] = [];
  let text: ActualText = null;
  for (const [, actual, operator] of content.matchAll(token)) {
    if (actual !== undefined) text = readText(actual);
    if (operator === undefined) continue;
    if (texts.push(text) > mostMarks) return [];
    text = null;
  }
  return texts;
}

function readText(written: string): string {
  const object = parsePdfObject(written);
  const bytes = typeof object === "object" && object !== null && "string" in object ? object.string : "";
  const codes = Uint8Array.from(bytes, (character) => character.charCodeAt(0));
  return bytes.startsWith("\xfe\xff") ? new TextDecoder("utf-16be").decode(codes) : bytes;
}

/** Replaces the runs of each marked part that has a text by one run with that. */
export function writeActualTexts(items: (TextItem | Mark)[], texts: ActualText[]): TextItem[] {
  const begins = items.filter((item) => isMark(item) && item.type.startsWith("begin")).length;
  // A form has marks of its own: it is unknown which is which.
  if (begins !== texts.length) return items.filter((item): item is TextItem => !isMark(item));
  const written: TextItem[] = [];
  let mark = 0;
  let depth = 0;
  /** The part that is being read: where it began, and its first run. */
  let part: { depth: number; text: string; run: TextItem | undefined } | undefined;
  for (const item of items) {
    if (!isMark(item)) {
      if (part === undefined || item.str.trim() === "") written.push(item);
      else if (part.run !== undefined) part.run.width = Math.max(part.run.width, endOf(item) - part.run.transform[4]!);
      else written.push(part.run = { ...item, str: part.text, dir: /[\u0590-\u08FF]/.test(part.text) ? "rtl" : "ltr" });
    } else if (item.type.startsWith("begin")) {
      depth++;
      const text = texts[mark++]!;
      // A bracket is named as it is meant there, but elsewhere as it looks.
      if (text !== null && !/^[()[\]]$/.test(text)) part ??= { depth, text, run: undefined };
    } else {
      if (part?.depth === depth) {
        const last = written.at(-1);
        // Glyphs that mean nothing to pdf.js are no run.
        if (part.run === undefined && last !== undefined) written.push(beside(last, part.text));
        part = undefined;
      }
      depth--;
    }
  }
  return written;
}

/** Between two runs, whichever of them is read first. */
function beside(item: TextItem, str: string): TextItem {
  const transform = item.transform.with(4, endOf(item) - item.width / 2);
  return { ...item, str, transform, width: 0, hasEOL: false };
}

function isMark(item: TextItem | Mark): item is Mark {
  return "type" in item;
}

function endOf({ transform, width }: TextItem): number {
  return transform[4]! + width;
}
