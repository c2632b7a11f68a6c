import { parseCsv } from "../../std.ts";

/** The separators of spreadsheets: comma, semicolon where the comma is in numbers, tab. */
const separators = [",", ";", "\t"];

/**
 * Reads the rows of a CSV file, as spreadsheets write it: with any usual separator, a byte order mark, line breaks in
 * cells. Blank rows count, so that the numbers of rows are those that a spreadsheet shows.
 *
 * @throws {SyntaxError} if it is not CSV.
 */
export function readCsv(file: string): string[][] {
  const text = file.replace(/^\ufeff/, "");
  // Spreadsheets write and obey such a line, and do not count it.
  const [line = "", named] = /^"?sep=(.)"?\r?\n/.exec(text) ?? [];
  const csv = text.slice(line.length);
  const separator = named ?? findSeparator(csv);
  return parseCsv(fillBlankRows(csv, separator), { separator });
}

/** The separator that is most frequent in the first row, outside quotes. */
function findSeparator(csv: string): string {
  const [header = ""] = /^(?:"[^"]*"|[^"\r\n])*/.exec(csv) ?? [];
  const bare = header.replaceAll(/"[^"]*"/g, "");
  const count = (separator: string) => bare.split(separator).length;
  return separators.reduce((best, separator) => count(separator) > count(best) ? separator : best);
}

/** Makes each blank row one of two blank cells: the parser skips rows without a character. */
function fillBlankRows(csv: string, separator: string): string {
  let isInQuotes = false;
  return csv.split("\n").map((line) => {
    const filled = !isInQuotes && /^\r?$/.test(line) ? separator : line;
    if (line.split('"').length % 2 === 0) isInQuotes = !isInQuotes;
    return filled;
  }).join("\n");
}
