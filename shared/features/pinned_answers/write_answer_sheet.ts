import type { PinnedText } from "./compare_rows.ts";
import { sheetColumns } from "./read_answer_sheet.ts";
import { writeCellText, writeVariants } from "./sheet_cells.ts";

/** Without it, spreadsheets take a file for one of their own encoding. */
const byteOrderMark = "\ufeff";

/** Writes pinned answers as a sheet. Reading it gives the same answers. */
export function writeAnswerSheet(answers: PinnedText[]): string {
  const rows = answers.map(({ question, variants, answer, is_active }) => [
    writeCellText(question),
    writeCellText(answer),
    writeCellText(writeVariants(variants)),
    String(is_active),
  ]);
  return writeRows([sheetColumns, ...rows]);
}

/** Writes rows as CSV. Their texts are those of {@link writeCellText}. */
export function writeRows(rows: (readonly string[])[]): string {
  return byteOrderMark + rows.map((cells) => `${cells.map(quote).join(",")}\r\n`).join("");
}

/** Puts a cell into quotes where any reader would need them. The standard library does not for a carriage return. */
function quote(cell: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
