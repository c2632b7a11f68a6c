import { parseCsv } from "./std/csv.ts";

/** The separators of spreadsheets: comma, semicolon where the comma is in numbers, tab; and that of databases. */
const separators = [",", ";", "\t", "|"];

/**
 * Reads the rows of a CSV file, as spreadsheets write it: with any usual separator, a byte order mark, line breaks in
 * cells. Blank rows count, so that the numbers of rows are those that a spreadsheet shows. A line break in a cell is a
 * line feed, unless `keepsReturns` is true.
 *
 * @throws {SyntaxError} if it is not CSV.
 */
export function readCsv(file: string, { keepsReturns = false }: { keepsReturns?: boolean } = {}): string[][] {
  const text = file.replace(/^\ufeff/, "");
  // Spreadsheets write and obey such a line, and do not count it.
  const [line = "", named] = /^"?sep=(.)"?\r?\n/.exec(text) ?? [];
  const csv = text.slice(line.length);
  const separator = named ?? findSeparator(csv);
  return parseCsv(prepareLines(csv, { separator, keepsReturns }), { separator });
}

/** Returns the row of which a `SyntaxError` of `readCsv` tells. */
export function rowOf({ message }: SyntaxError): number {
  return Number(/line (\d+)/.exec(message)?.[1] ?? 1);
}

/**
 * The separator that divides most rows of the first ones alike, outside quotes; else the most frequent one of the first
 * row. So neither a title above the table nor the commas of its numbers count.
 */
export function findSeparator(csv: string): string {
  // A regular expression cannot repeat a group over a text of any length.
  const bare = csv.slice(0, 10_000).replaceAll(/"[^"]*"/g, "");
  const lines = bare.split(/[\r\n]+/).filter((line) => line !== "");
  const count = (line: string, separator: string) => line.split(separator).length - 1;
  const rate = (separator: string) => {
    const widths = new Map<number, number>();
    for (const line of lines) widths.set(count(line, separator), (widths.get(count(line, separator)) ?? 0) + 1);
    widths.delete(0);
    return Math.max(0, ...widths.values()) + count(lines[0] ?? "", separator) / 10_000;
  };
  return separators.reduce((best, separator) => rate(separator) > rate(best) ? separator : best);
}

/**
 * Makes each blank row one of two blank cells, since the parser skips rows without a character. Doubles the carriage
 * returns that are to be kept, since the parser leaves out the one before a line feed.
 */
function prepareLines(csv: string, { separator, keepsReturns }: { separator: string; keepsReturns: boolean }): string {
  let isInQuotes = false;
  return csv.split("\n").map((line) => {
    const isBlank = !isInQuotes && /^\r?$/.test(line);
    if (line.split('"').length % 2 === 0) isInQuotes = !isInQuotes;
    if (isBlank) return separator;
    return keepsReturns && isInQuotes && line.endsWith("\r") ? `${line}\r` : line;
  }).join("\n");
}
