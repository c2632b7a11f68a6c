import type { Cell, Line } from "./join_lines.ts";

/** A table has at least so many rows with at least so many cells. */
const least = 3;
const mostColumns = 50;
/** The cells of running text in columns have more words. */
const mostWords = 4;
/** In heights of letters: edges that are the same, lines of one cell, and rows that are too far apart. */
const [sameEdge, lineGap, rowGap] = [0.25, 1.4, 5];

type Column = { x: number; end: number; lefts: number[]; rights: number[] };
/** `length` is the number of lines up to its end; `top` and `bottom` are the bases of its lines. */
type Row = { texts: string[]; length: number; top: number; bottom: number };
/** The table that begins with a line, if it is one, and the number of lines that were looked at. */
type Reading = { length: number; table?: Line };

/**
 * Makes one line of each table: its rows, with ` | ` between the cells, and the first row as `header`. Lines stay as they
 * are where a table is not sure. It has at least three columns, whose cells have common edges, and its first row names
 * them.
 */
export function findTables(lines: Line[]): Line[] {
  const found: Line[] = [];
  for (let i = 0; i < lines.length;) {
    const { length, table }: Reading = isHeader(lines[i]!) ? readTable(lines, i) : { length: 1 };
    found.push(...table === undefined ? lines.slice(i, i + length) : [table]);
    i += length;
  }
  return found;
}

/** The names of columns are words or years. */
function isHeader({ cells = [] }: Line): boolean {
  const hasLetters = ({ text }: Cell) => /\p{L}/u.test(text);
  return cells.length >= least && cells.length <= mostColumns && cells.some(hasLetters) &&
    cells.every((cell) => hasLetters(cell) || /^\s*(?:19|20)\d\d\s*$/.test(cell.text));
}

function readTable(lines: Line[], start: number): Reading {
  const first = lines[start]!;
  const columns: Column[] = first.cells!.map(createColumn);
  const rows: Row[] = [];
  let [fullRows, words, pieces, length, last] = [0, 0, 0, 0, columns.length];
  for (let before = first; start + length < lines.length; length++) {
    const line = lines[start + length]!;
    const cells = line.cells ?? [line];
    const gap = Math.abs(before.y - line.y) / (line.height || 1);
    // A name that stands right of one with two lines.
    if (rows.length === 1 && line.x > columns.at(-1)!.end && gap < lineGap && columns.length < mostColumns) {
      columns.push(createColumn(line));
    }
    const places = cells.map((cell) => placeOf(cell, columns));
    const isInOrder = places.every((place, i) => place > (places[i - 1] ?? -1));
    if (!isInOrder || isFar(line, rows.at(-1))) break;
    const goesOn = places[0]! > last || places[0]! === last && gap < lineGap ||
      places[0]! > 0 && cells.length === 1 && gap < lineGap;
    if (!goesOn) rows.push({ texts: [], length, top: line.y, bottom: line.y });
    const row = rows.at(-1)!;
    for (const [i, cell] of cells.entries()) add(cell, { row, column: columns[places[i]!]!, place: places[i]! });
    Object.assign(row, { length: length + 1, top: Math.max(row.top, line.y), bottom: Math.min(row.bottom, line.y) });
    if (cells.length >= least) {
      [fullRows, pieces] = [fullRows + 1, pieces + cells.length];
      words += cells.reduce((sum, { text }) => sum + text.trim().split(/\s+/).length, 0);
    }
    [last, before] = [places.at(-1)!, line];
  }
  const edge = first.height * sameEdge || 1;
  const isSure = fullRows >= least && words <= mostWords * pieces &&
    columns.every((_, place) => !isProse(rows.map(({ texts }) => texts[place] ?? ""))) &&
    columns.every(({ lefts, rights }) => Math.max(countEqual(lefts, edge), countEqual(rights, edge)) >= least);
  if (!isSure) return { length: Math.max(1, length) };
  // A paragraph below may be as narrow as a column.
  const end = rows.findLastIndex(({ texts }) => texts.filter(Boolean).length > 1);
  const texts = rows.slice(0, end + 1).map((row) => columns.map((_, place) => row.texts[place] ?? "").join(" | "));
  const { cells: _, ...line } = first;
  return { length: rows[end]!.length, table: { ...line, text: texts.join("\n"), header: texts[0]! } };
}

function isFar({ y, height }: Line, row: Row | undefined): boolean {
  return row !== undefined && Math.max(row.bottom - y, y - row.top) > height * rowGap;
}

function createColumn({ x, end }: Cell): Column {
  return { x, end, lefts: [], rights: [] };
}

/** Returns whether sentences go on from one row to the next: a column of text beside a table. */
function isProse(texts: string[]): boolean {
  const lines = texts.filter((text) => /\S\s+\S+\s+\S/.test(text));
  const goingOn = lines.filter((text) => /^\p{Ll}/u.test(text));
  return goingOn.length > 1 && goingOn.length * 4 > lines.length;
}

/** The column that a cell stands in; -1 if there is none, or more than one. */
function placeOf({ x, end }: Cell, columns: Column[]): number {
  const touched = columns.flatMap((column, place) => x < column.end && end > column.x ? [place] : []);
  return touched.length === 1 ? touched[0]! : -1;
}

function add({ text, x, end }: Cell, { row, column, place }: { row: Row; column: Column; place: number }): void {
  row.texts[place] = `${row.texts[place] ?? ""} ${text.trim()}`.trim();
  [column.x, column.end] = [Math.min(column.x, x), Math.max(column.end, end)];
  column.lefts.push(x);
  column.rights.push(end);
}

/** Counts the values that are about the same. */
function countEqual(values: number[], edge: number): number {
  const counts = new Map<number, number>();
  for (const value of values.map((value) => Math.round(value / edge))) counts.set(value, (counts.get(value) ?? 0) + 1);
  let most = 0;
  for (const [value, count] of counts) most = Math.max(most, count + (counts.get(value + 1) ?? 0));
  return most;
}
