import { findSeparator } from "../base/read_csv.ts";
import { detectEncoding } from "./detect_encoding.ts";
import { type DocumentReader, unreadable } from "./document_reader.ts";
import { findCut } from "./read_text.ts";
import { createSheetTable, isAnswerSheet, type SheetCell } from "./sheet_table.ts";

const sampleSize = 16 * 1024;
const stepSize = 32 * 1024;
/** A text in quotes that is longer was never ended. */
const longestRow = 1_000_000;
/** More are no table for people. */
const maxColumns = 16_384;

/** Reads a table in CSV, with any usual separator; `offset` is in bytes. Quotes that are wrong are characters. */
export function createCsvReader(bytes: Uint8Array): DocumentReader {
  return {
    async read({ offset, encoding, separator, sheet, lost = {} }) {
      encoding ??= await detectEncoding(bytes);
      const decode = (from: number, to: number) =>
        // A later step must not take a character for a byte order mark.
        new TextDecoder(encoding, { ignoreBOM: from > 0 }).decode(bytes.subarray(from, to)).replace(/\r\n?/g, "\n");
      const sample = offset === 0 ? decode(0, findCut(bytes, { from: 0, encoding, size: sampleSize })) : "";
      // Spreadsheets write and obey such a line.
      const [line = "", named] = /^"?sep=(.)"?\n/.exec(sample) ?? [];
      separator ??= named ?? findSeparator(sample);
      let [size, end] = [stepSize, 0];
      let parsed: ParsedRows;
      do {
        end = findCut(bytes, { from: offset, encoding, size });
        const isPatient = size < longestRow && end < bytes.length;
        const text = decode(offset, end).slice(line.length);
        parsed = isPatient && !text.endsWith("\n") ? null : parseRows(text, { separator, isPatient });
        size *= 2;
      } while (parsed === null);
      const table = createSheetTable(sheet);
      for (const row of parsed) {
        if (row.length > maxColumns) throw unreadable.tooLarge();
        table.push(row.map(toCell));
      }
      const blocks = table.take();
      const state = table.state();
      if (isAnswerSheet(state.columns)) lost = { answer_sheets: 1 };
      if (end < bytes.length) return { blocks, next: { offset: end, encoding, separator, sheet: state, lost } };
      return { blocks, next: null, losses: lost.answer_sheets ? [{ kind: "answer_sheets", count: 1 }] : [] };
    },

    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

type ParsedRows = string[][] | null;

/** The rows of a text; null where the last one goes on behind it, unless it is not waited for. */
function parseRows(
  text: string,
  { separator, isPatient }: { separator: string; isPatient: boolean },
): ParsedRows {
  const rows: string[][] = [];
  let row: string[] = [];
  for (let at = 0; at < text.length;) {
    let cell: string;
    const quoted = text[at] === '"' ? readQuoted(text, { at, separator }) : undefined;
    if (quoted === null && isPatient) return null;
    if (quoted) {
      [cell, at] = [quoted.cell, quoted.end];
    } else {
      const end = endOfCell(text, { at, separator });
      [cell, at] = [text.slice(at, end), end];
    }
    row.push(cell);
    const isEnd = at >= text.length || text[at] === "\n";
    const isOpen = text[at] === separator && at + 1 >= text.length;
    at++;
    if (isOpen) row.push("");
    if (!isEnd && !isOpen) continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

function endOfCell(text: string, { at, separator }: { at: number; separator: string }): number {
  while (at < text.length && text[at] !== separator && text[at] !== "\n") at++;
  return at;
}

/** A cell in quotes; null without their end, undefined where they are no quotes of a cell. */
function readQuoted(
  text: string,
  { at, separator }: { at: number; separator: string },
): { cell: string; end: number } | null | undefined {
  let cell = "";
  for (let from = at + 1;;) {
    const end = text.indexOf('"', from);
    if (end === -1) return null;
    cell += text.slice(from, end);
    if (text[end + 1] === '"') {
      cell += '"';
      from = end + 2;
      continue;
    }
    // Blanks may stand behind them.
    let behind = end + 1;
    while (text[behind] === " ") behind++;
    if (behind < text.length && text[behind] !== separator && text[behind] !== "\n") return undefined;
    return { cell, end: behind };
  }
}

const number = /^[-−+(]?\s?[€$£¥₹]?\s?[-−+]?\d[\d.,'’\s]*(?:e[-+]?\d+)?\s?(?:%|[€$£¥₹]|[A-Z]{3})?\)?$/i;
const date = /^\d{1,4}([-./])\d{1,2}\1\d{1,4}(?:[T ][\d:.]+Z?)?$/;

function toCell(text: string): SheetCell {
  const value = text.trim().slice(0, 40);
  return { text, kind: date.test(value) ? "date" : number.test(value) ? "number" : "text" };
}
