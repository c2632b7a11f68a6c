import { type Block, type DocumentReader, unreadable, UnreadableDocument } from "./document_reader.ts";
import type { Position } from "./bookmark.ts";
import { checkXml } from "./check_xml.ts";
import { readChart, readDiagram } from "./docx/part_texts.ts";
import { openMainPart, relationshipsOf } from "./docx/relationships.ts";
import { readXml } from "./docx/read_xml.ts";
import { decodeXml, openPackage, type Package } from "./open_package.ts";
import { lossesOf } from "./parts_reader.ts";
import { createSheetTable, isAnswerSheet, type SheetCell } from "./sheet_table.ts";
import { decodeEscapes, type FormatValue, readFormats, readSharedStrings } from "./sheet_values.ts";

/** All sheets stay in memory while they are read. */
const maxBytes = 32_000_000;
/** In bytes of XML: a step of this size has about 300 rows. */
const stepSize = 100_000;
const longestRow = 3_000_000;
/** Of all texts that are shown: cells may share a long one. */
const maxLength = 20_000_000;
const maxLengthOfStep = 2_000_000;
const maxMarksOfStep = 200_000;
/** The parts behind the rows of a sheet. */
const maxMarksBehind = 300_000;
const maxCharts = 100;
const unread =
  /(?:^|\/)(?:media|embeddings|charts(?!\/chart(?:Ex)?\d*\.xml$)|theme|pivotCache|pivotTables|externalLinks|printerSettings|customXml|docProps|queryTables|tables|comments\d*\.xml|calcChain\.xml|threadedComments|persons)(?:\/|$)/i;

type Sheet = { name: string; part: string };

/** Opens an XLSX file; `part` of its position counts the sheets, `offset` the bytes of one. Throws UnreadableDocument. */
export function openXlsx(bytes: Uint8Array): DocumentReader {
  const parts = openPackage(bytes, {
    isWanted: (name) => /\.(?:xml|rels)$/i.test(name) && !unread.test(name),
    most: maxBytes,
  });
  const { sheets, hiddenSheets, uses1904 } = readWorkbook(parts);
  const strings = readSharedStrings(parts.text(sheets.strings));
  const format = readFormats(parts.xml(sheets.styles), { uses1904 });
  let last: { part: number; sheet: OpenSheet } | undefined;

  function open(part: number): OpenSheet {
    if (last?.part !== part) last = { part, sheet: openSheet(parts, sheets.list[part]!.part) };
    return last.sheet;
  }

  return {
    // deno-lint-ignore require-await
    async read(position) {
      const { part = 0, offset, lost: before = {} } = position;
      if (sheets.list.length === 0) return { blocks: [], next: null };
      const sheet = open(part);
      const lost = { ...before };
      if (part === 0 && offset === 0 && hiddenSheets > 0) lost.hidden_sheets = hiddenSheets;
      const read = readSlice(sheet, position, { strings, format });
      if (read.hiddenRows > 0) lost.hidden_rows = (lost.hidden_rows ?? 0) + read.hiddenRows;
      if (read.isAnswerSheet) lost.answer_sheets = 1;
      if (offset === 0 && sheet.hiddenColumns > 0) {
        lost.hidden_columns = (lost.hidden_columns ?? 0) + sheet.hiddenColumns;
      }
      if (read.next === null && sheet.boxes !== "") read.blocks.push({ text: sheet.boxes, page: null, level: null });
      const isTitled = read.blocks.length > 0 && !position.sheet?.isBegun;
      const title: Block[] = isTitled ? [{ text: sheets.list[part]!.name, page: null, level: 1, isApart: true }] : [];
      const blocks = [...title, ...read.blocks];
      const { length } = read;
      if (read.next !== null) return { blocks, next: { ...read.next, part, lost, length } };
      if (part + 1 < sheets.list.length) return { blocks, next: { part: part + 1, offset: 0, lost, length } };
      return { blocks, next: null, losses: lossesOf(lost) };
    },

    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

function readWorkbook(parts: Package) {
  const { xml, related } = openMainPart(parts, "xl/workbook.xml");
  const partOf = (wanted: string, usual: string) =>
    [...related.values()].find(({ kind }) => kind === wanted)?.target ?? usual;
  const list: Sheet[] = [];
  let hiddenSheets = 0;
  let uses1904 = false;
  readXml(xml, {
    open(element, { name = "", id = "", state = "", date1904 = "0" }) {
      if (element === "workbookPr") uses1904 = date1904 === "1" || date1904 === "true";
      const { kind, target } = related.get(id) ?? { kind: "", target: "" };
      if (element !== "sheet" || kind !== "worksheet") return;
      if (/hidden/i.test(state)) hiddenSheets++;
      else list.push({ name, part: target });
    },
  });
  const sheets = {
    list,
    strings: partOf("sharedStrings", "xl/sharedStrings.xml"),
    styles: partOf("styles", "xl/styles.xml"),
  };
  return { sheets, hiddenSheets, uses1904 };
}

type OpenSheet = {
  bytes: Uint8Array;
  /** The rows, in bytes. */
  start: number;
  end: number;
  /** The prefix of its elements, with the colon. */
  prefix: string;
  cells: Cells;
  hiddenColumns: number;
  /** The text of its text boxes, and the titles of its charts. */
  boxes: string;
};

function openSheet(parts: Package, name: string): OpenSheet {
  parts.nextStep();
  const part = parts.bytes(name) ?? new Uint8Array();
  const isUtf8 = part[0] !== 0xff && part[0] !== 0xfe;
  const bytes = isUtf8 ? part : new TextEncoder().encode(decodeXml(part));
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 500_000));
  if (head.includes("<!DOCTYPE")) throw unreadable.damaged();
  const opening = /<((?:\w+:)?)sheetData(?:\s[^<>]*?)?(\/?)>/.exec(head);
  const prefix = opening?.[1] ?? "";
  const start = opening === null ? bytes.length : opening.index + opening[0].length;
  const end = opening === null || opening[2] === "/" ? start : lastIndexOf(bytes, `</${prefix}sheetData`);
  if (end < start) throw unreadable.damaged();
  const behind = decodeXml(bytes.subarray(end)).replace(/^[^>]*sheetData\s*>/, "").replace(/<\/[^<>]*>\s*$/, "");
  checkXml(`<a>${behind}</a>`, { maxMarks: maxMarksBehind });
  const cells = createCellReader({ head: head.slice(0, opening?.index ?? 0), behind });
  const drawing = [...relationshipsOf(parts, name).values()].find(({ kind }) => kind === "drawing")?.target ?? "";
  const isSmall = (part: string) => (parts.bytes(part)?.length ?? 0) <= maxLengthOfStep;
  const charts = drawing === "" ? [] : [...relationshipsOf(parts, drawing).values()]
    .filter(({ kind, target }) => /^chart/.test(kind) && isSmall(target)).slice(0, maxCharts);
  const titles = charts.map(({ target }) => readChart(parts.xml(target), { isOfCells: true }));
  const boxes = [isSmall(drawing) ? readDiagram(parts.xml(drawing)) : "", ...titles].filter(Boolean).join("\n");
  return { bytes, start, end, prefix, cells, hiddenColumns: cells.hiddenColumns, boxes };
}

type Slice = { blocks: Block[]; next: Position | null; length: number; hiddenRows: number; isAnswerSheet: boolean };

function readSlice(
  { bytes, start, end, prefix, cells }: OpenSheet,
  { offset, sheet, merged = {}, length = 0 }: Position,
  values: { strings: (index: number) => string; format: FormatValue },
): Slice {
  const from = Math.max(offset, start);
  const to = endOfRows(bytes, { from, end, prefix });
  const xml = `<a>${new TextDecoder().decode(bytes.subarray(from, to))}</a>`;
  checkXml(xml, { maxMarks: maxMarksOfStep });
  const table = createSheetTable(sheet);
  const state = { merged: { ...merged }, hiddenRows: 0 };
  let read = 0;
  const push = (row: (SheetCell | undefined)[]) => {
    for (const cell of row) read += cell?.text.length ?? 0;
    if (read > maxLengthOfStep || length + read > maxLength) throw unreadable.tooLarge();
    table.push(row);
  };
  try {
    cells.readRows(xml, { ...values, state, push });
  } catch (error) {
    throw error instanceof UnreadableDocument ? error : unreadable.damaged();
  }
  const blocks = table.take();
  const after = table.state();
  const next = to < end ? { offset: to, sheet: after, merged: state.merged } : null;
  const { hiddenRows } = state;
  return { blocks, next, length: length + read, hiddenRows, isAnswerSheet: isAnswerSheet(after.columns) };
}

/** The end of the last row of a step. Throws UnreadableDocument if a single one is too large. */
function endOfRows(
  bytes: Uint8Array,
  { from, end, prefix }: { from: number; end: number; prefix: string },
): number {
  for (let size = stepSize;; size *= 3) {
    if (from + size >= end) return end;
    const text = new TextDecoder("latin1").decode(bytes.subarray(from, from + size));
    const closing = `</${prefix}row>`;
    const at = text.lastIndexOf(closing);
    if (at !== -1) return from + at + closing.length;
    // Rows without cells.
    const empty = [...text.matchAll(/<(?:\w+:)?row(?:\s[^<>]*)?\/>/g)].at(-1);
    if (empty !== undefined) return from + empty.index + empty[0].length;
    if (size > longestRow) throw unreadable.tooLarge();
  }
}

function lastIndexOf(bytes: Uint8Array, text: string): number {
  const size = 1_000_000;
  for (let to = bytes.length; to > 0; to -= size - text.length) {
    const from = Math.max(0, to - size);
    const at = new TextDecoder("latin1").decode(bytes.subarray(from, to)).lastIndexOf(text);
    if (at !== -1) return from + at;
  }
  return -1;
}

/** Those of the largest sheet. */
const maxColumns = 16_384;
const maxMerges = 50_000;
/** Merged cells that stand in several rows or columns repeat their text there: so many, and so long. */
const maxMerged = 20;
const longestMerged = 300;

type Merge = { row: number; column: number; lastRow: number; lastColumn: number };

/** The state of reading rows, which each step changes. */
type RowsContext = {
  strings: (index: number) => string;
  format: FormatValue;
  /** `merged`: the texts of cells that are merged with those below, by their column. */
  state: { merged: Record<string, { text: string; until: number }>; hiddenRows: number };
  push(row: (SheetCell | undefined)[]): void;
};

type Cells = { hiddenColumns: number; readRows(xml: string, context: RowsContext): void };

/** @param options.head,behind what stands before and behind the rows of a sheet */
function createCellReader({ head, behind }: { head: string; behind: string }): Cells {
  const hidden = readHiddenColumns(head);
  const merges = readMerges(behind);
  const merged = merges.size > 0;
  // Where a table begins is known for all its rows, or not at all.
  const dimension = /<(?:\w+:)?dimension\s[^<>]*ref="\$?([A-Z]+)/.exec(head)?.[1];
  const first = dimension === undefined ? 0 : columnOf(dimension)!;

  return {
    hiddenColumns: hidden.length,
    readRows(xml, { strings, format, state, push }) {
      let row: (SheetCell | undefined)[] = [];
      let [rowNumber, column, lastRow] = [0, -1, 0];
      let isHidden = false;
      let cell = { type: "n", style: 0 };
      let part = "";
      let pieces: string[] = [];
      let value = "";
      let reading = 0;

      function endRow(): void {
        if (isHidden) {
          if (row.some((cell) => cell !== undefined && cell.text.trim() !== "")) state.hiddenRows++;
          return;
        }
        if (merged) fillMerged(row, rowNumber);
        for (const i of hidden) if (i < row.length) row[i] = undefined;
        push(first > 0 && row.slice(0, first).every((cell) => cell === undefined) ? row.slice(first) : row);
      }
      function fillMerged(row: (SheetCell | undefined)[], number: number): void {
        for (const [place, { text, until }] of Object.entries(state.merged)) {
          if (until < number) delete state.merged[place];
          else row[Number(place)] ??= { text, kind: "text" };
        }
        for (const { column, lastRow, lastColumn } of merges.get(number) ?? []) {
          const first = row[column];
          if (first === undefined || first.text === "") continue;
          const isFew = Object.keys(state.merged).length < maxMerged && first.text.length <= longestMerged;
          if (lastRow > number && isFew) state.merged[column] = { text: first.text, until: lastRow };
          const end = Math.min(lastColumn, column + 5 * maxMerged);
          for (let i = column + 1; i <= end; i++) row[i] = { ...first, isRepeated: true };
        }
      }
      function endCell(): void {
        const shown = showCell(cell, { value, text: pieces.join(""), strings, format });
        if (shown.text !== "") row[column] = shown;
      }

      readXml(xml, {
        open(name, { r = "", t = "n", s = "0", hidden = "" }) {
          if (name === "row") {
            [row, column] = [[], -1];
            lastRow = rowNumber = Number(r) || lastRow + 1;
            isHidden = hidden === "1" || hidden === "true";
          } else if (name === "c") {
            column = columnOf(r) ?? column + 1;
            if (column >= maxColumns) throw unreadable.tooLarge();
            cell = { type: t, style: Number(s) || 0 };
            [value, pieces] = ["", []];
          } else if (name === "rPh") reading++;
          else part = name;
        },
        close(name) {
          part = "";
          if (name === "rPh") reading--;
          if (name === "c") endCell();
          if (name === "row") endRow();
        },
        text(text) {
          if (part === "v") value += text;
          if (part === "t" && reading === 0) pieces.push(text);
        },
      });
    },
  };
}

function showCell(
  { type, style }: { type: string; style: number },
  { value, text, strings, format }: { value: string; text: string } & Pick<RowsContext, "strings" | "format">,
): SheetCell {
  switch (type) {
    case "s":
      return { text: strings(Number(value)), kind: "text" };
    case "inlineStr":
      return { text: decodeEscapes(text), kind: "text" };
    case "str":
    case "e":
      return { text: decodeEscapes(value), kind: "text" };
    case "b":
      return { text: value.trim() === "1" ? "TRUE" : value === "" ? "" : "FALSE", kind: "number" };
    case "d":
      return { text: value.replace(/T00:00:00(?:\.0+)?Z?$/, ""), kind: "date" };
    default: {
      const number = Number(value);
      return value.trim() === "" || Number.isNaN(number) ? { text: value, kind: "text" } : format(number, style);
    }
  }
}

function readHiddenColumns(head: string): number[] {
  const columns: number[] = [];
  for (const [tag] of head.matchAll(/<(?:\w+:)?col\s[^<>]*>/g)) {
    if (!/\shidden="(?:1|true)"/.test(tag)) continue;
    const numberOf = (name: string) => Number(new RegExp(`\\s${name}="(\\d+)"`).exec(tag)?.[1] ?? NaN);
    // Sheets hide all columns behind their last one.
    if (numberOf("max") - numberOf("min") > 1_000) continue;
    for (let i = numberOf("min"); i <= numberOf("max"); i++) columns.push(i - 1);
    if (columns.length > maxColumns) throw unreadable.tooLarge();
  }
  return columns;
}

/** The merged cells by their first rows. */
function readMerges(xml: string): Map<number, Merge[]> {
  const merges = new Map<number, Merge[]>();
  let count = 0;
  for (const [, from, to] of xml.matchAll(/<(?:\w+:)?mergeCell\s[^<>]*ref="\$?([A-Z]+\$?\d+):\$?([A-Z]+\$?\d+)"/g)) {
    const [start, end] = [placeOf(from!), placeOf(to!)];
    if (++count > maxMerges) break;
    const merge = { ...start, lastRow: end.row, lastColumn: end.column };
    const ofRow = merges.get(start.row);
    if (ofRow === undefined) merges.set(start.row, [merge]);
    else ofRow.push(merge);
  }
  return merges;
}

function placeOf(reference: string): { row: number; column: number } {
  const [, , row] = /^([A-Z]+)\$?(\d+)$/.exec(reference)!;
  return { row: Number(row), column: columnOf(reference)! };
}

function columnOf(reference: string): number | undefined {
  let column = 0;
  for (const letter of /^[A-Z]{0,4}/.exec(reference)![0]) column = column * 26 + letter.charCodeAt(0) - 64;
  return column === 0 ? undefined : column - 1;
}
