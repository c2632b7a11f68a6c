/** Control characters, line breaks, changes of the writing direction, invisible characters; but not joiners. */
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/gu;

/** Makes a text of other people harmless to a terminal: it can neither move the cursor nor begin a line. */
export function showHarmlessly(text: string): string {
  return text.replaceAll(unprintable, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

/** A value as JSON that is harmless to a terminal, too. Programs read the same value from it. */
export function showJson(value: unknown): string {
  const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(value, null, 2)
    .replaceAll(unprintable, (character) => character === "\n" ? "\n" : character.split("").map(escape).join(""));
}

/** The content of a cell. Columns of numbers are aligned to the right. */
export type Cell = string | number | boolean | null | undefined;

const mostCharacters = 80;

/**
 * A table as plain text, with two spaces between columns. Without rows it is empty.
 *
 * @param width the most columns of a line: the last cell is shortened to what the others leave
 */
export function formatTable(headings: string[], rows: Cell[][], width = Infinity): string {
  if (rows.length === 0) return "";
  const isNumber = headings.map((_, column) => rows.every((row) => typeof row[column] === "number"));
  const lines = [headings, ...rows].map((row) => row.map((cell) => shorten(formatCell(cell), mostCharacters)));
  const widthsOf = (column: number) => Math.max(...lines.map((line) => widthOf(line[column]!)));
  const last = headings.length - 1;
  const left = headings.slice(0, last).reduce((sum, _, column) => sum - widthsOf(column) - 2, width);
  for (const line of lines) line[last] = shorten(line[last]!, left);
  const widths = headings.map((_, column) => widthsOf(column));
  return lines.map((line) =>
    line.map((cell, column) => {
      const space = " ".repeat(widths[column]! - widthOf(cell));
      return isNumber[column] ? space + cell : cell + space;
    }).join("  ").trimEnd()
  ).join("\n");
}

/** Rows as such a table. `show` returns the cells of a row, by their headings. */
export function formatRows<Row>(rows: Row[], show: (row: Row) => Record<string, Cell>): string {
  const shown = rows.map(show);
  return formatTable(Object.keys(shown[0] ?? {}), shown.map((cells) => Object.values(cells)));
}

/** One line for each field, starting with its name. Fields without a value are left out. */
export function formatFields(fields: Record<string, Cell>): string {
  const entries = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  const width = Math.max(...entries.map(([name]) => name.length)) + 2;
  return entries.map(([name, value]) => name.padEnd(width) + formatCell(value)).join("\n");
}

/** A moment, to the second, in UTC. */
export function formatTime(time: string | null): string | null {
  return time === null ? null : new Date(time).toISOString().replace(/\.\d+Z$/, "Z");
}

function formatCell(cell: Cell): string {
  if (typeof cell === "boolean") return cell ? "yes" : "no";
  return cell === null || cell === undefined ? "-" : showHarmlessly(String(cell));
}

function shorten(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`;
}

function widthOf(text: string): number {
  return [...text].length;
}

/** Lines of other people. */
export function showLines(text: string, indent = ""): string {
  const lines = text.split(/\r?\n/).map(showHarmlessly);
  return lines.map((line) => indent === "" ? line : `${indent}${line}`.trimEnd()).join("\n");
}

/** A number with its noun. */
export function countOf(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
