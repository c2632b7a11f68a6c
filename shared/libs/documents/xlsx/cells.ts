import { readXml } from "../docx/read_xml.ts";
import type { SheetCell } from "../sheet_table.ts";
import { unreadable } from "../unreadable_document.ts";
import type { FormatValue } from "./formats.ts";
import { decodeEscapes } from "./shared_strings.ts";

/** Those of the largest sheet. */
const maxColumns = 16_384;
const maxMerges = 50_000;
/** Merged cells that stand in several rows or columns repeat their text there: so many, and so long. */
const maxMerged = 20;
const longestMerged = 300;

type Merge = { row: number; column: number; lastRow: number; lastColumn: number };

/** The state of reading rows, which each step changes. */
export type RowsContext = {
  strings: (index: number) => string;
  format: FormatValue;
  /** `merged`: the texts of cells that are merged with those below, by their column. */
  state: { merged: Record<string, { text: string; until: number }>; hiddenRows: number };
  push(row: (SheetCell | undefined)[]): void;
};

/** Reads the cells of a sheet. */
export type Cells = { hiddenColumns: number; readRows(xml: string, context: RowsContext): void };

/** @param options.head,behind what stands before and behind the rows of a sheet */
export function createCellReader({ head, behind }: { head: string; behind: string }): Cells {
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
