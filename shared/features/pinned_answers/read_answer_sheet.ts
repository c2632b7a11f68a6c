import type { ZodMiniType } from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { readCsv, rowOf } from "../../libs/base/read_csv.ts";
import { withCommas } from "../../libs/base/text.ts";
import { answerField, questionField, variantsField } from "./fields.ts";
import { readCellText, readTruth, readVariants } from "./sheet_cells.ts";

/** The columns of a sheet. */
export const sheetColumns = ["question", "answer", "variants", "is_active"] as const;
export type SheetColumn = typeof sheetColumns[number];

/** The most answers of a sheet. */
export const maxSheetRows = 1_000;

/** A row of a sheet, counted as spreadsheets do. Null: the sheet does not say. */
export type SheetRow = {
  row: number;
  question: string;
  variants: string[] | null;
  answer: string;
  is_active: boolean | null;
};

/** A row that cannot be used. */
export type RefusedRow = {
  row: number;
  /** The beginning of its question. */
  question: string;
  field: SheetColumn | null;
  /** A sentence without a point at its end. */
  reason: string;
};

/** A sheet as it was read. */
export type AnswerSheet = {
  rows: SheetRow[];
  refused: RefusedRow[];
  /** Columns with contents that a pinned answer does not have. */
  unused: string[];
};

/** The headers that other tools have. Dify's exports are in Chinese for those who use it in Chinese. */
const otherNames = new Map<string, SheetColumn>([["问题", "question"], ["答案", "answer"]]);

/**
 * Reads a sheet of questions and answers. Its columns are `question` and `answer`, and optionally `variants` (one a line)
 * and `is_active`, in any order and any case.
 *
 * @throws {ApiError} 400 if it is not CSV, or has no such columns, no rows or too many.
 */
export function readAnswerSheet(csv: string): AnswerSheet {
  const [header = [], ...body] = readRows(csv);
  const columns = header.map(readColumn);
  const missing = ["question", "answer"].find((name) => !columns.includes(name as SheetColumn));
  if (missing !== undefined) {
    throw errors.invalidSheet(
      `The first row of the sheet must name the columns question and answer: ${missing} is missing`,
    );
  }
  const repeated = sheetColumns.find((name) => columns.indexOf(name) !== columns.lastIndexOf(name));
  if (repeated !== undefined) throw errors.invalidSheet(`The sheet has more than one column ${repeated}`);
  const filled = body.map((cells, index) => ({ row: index + 2, cells })).filter(({ cells }) => cells.some(isFilled));
  if (filled.length === 0) throw errors.invalidSheet("The sheet has no answers");
  if (filled.length > maxSheetRows) {
    throw errors.invalidSheet(
      `The sheet has ${withCommas(filled.length)} answers; the most are ${withCommas(maxSheetRows)}`,
    );
  }
  const places = new Map(sheetColumns.map((name) => [name, columns.indexOf(name)]));
  const read = filled.map(({ row, cells }) => readRow(row, { places, width: columns.length }, cells));
  const used = new Set(filled.flatMap(({ cells }) => cells.flatMap((cell, index) => isFilled(cell) ? index : [])));
  return {
    rows: read.filter((row): row is SheetRow => !isRefused(row)),
    refused: read.filter(isRefused),
    unused: header.map((name) => name.trim()).filter((_, index) => columns[index] === null && used.has(index)),
  };
}

function readRows(csv: string): string[][] {
  try {
    return readCsv(dropBlankEnd(csv), { keepsReturns: true });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const row = rowOf(error);
    const reason = "has a quotation mark that does not end, or one too many";
    throw errors.invalidSheet(`Row ${row} of the sheet ${reason}`, [{ row, field: null, reason: `The row ${reason}` }]);
  }
}

/** Leaves out the blank rows at the end: spreadsheets write up to a million of them, which take seconds to parse. */
function dropBlankEnd(csv: string): string {
  let end = csv.length;
  while (end > 0 && ",;\t\r\n".includes(csv[end - 1]!)) end--;
  return csv.slice(0, end);
}

function readColumn(name: string): SheetColumn | null {
  const plain = name.trim().toLowerCase();
  return sheetColumns.find((column) => column === plain) ?? otherNames.get(plain) ?? null;
}

function isFilled(cell = ""): boolean {
  return cell.trim() !== "";
}

const isRefused = (row: SheetRow | RefusedRow): row is RefusedRow => "reason" in row;

/** A reason to refuse a row. */
class Fault extends Error {
  override name = "Fault";

  constructor(readonly field: SheetColumn | null, reason: string) {
    super(reason);
  }
}

/** The places of the columns, found once: a sheet may have a hundred thousand of them. */
type Columns = { places: Map<SheetColumn, number>; width: number };

function readRow(row: number, { places, width }: Columns, cells: string[]): SheetRow | RefusedRow {
  const textOf = (column: SheetColumn) => {
    const index = places.get(column)!;
    return index < 0 ? null : readCellText(cells[index] ?? "");
  };
  const question = textOf("question") ?? "";
  try {
    if (cells.slice(width).some(isFilled)) {
      throw new Fault(null, "The row has more cells than the first row. Texts with commas need quotation marks");
    }
    const variants = textOf("variants");
    return {
      row,
      question: requireField("question", questionField, question),
      variants: variants === null ? null : requireField("variants", variantsField, readVariants(variants)),
      answer: requireField("answer", answerField, textOf("answer") ?? ""),
      is_active: readActive(textOf("is_active") ?? ""),
    };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { row, question: question.slice(0, 200), field: error.field, reason: error.message };
  }
}

function requireField<Value>(field: SheetColumn, schema: ZodMiniType<Value>, value: unknown): Value {
  const { success, data, error } = schema.safeParse(value);
  if (!success) throw new Fault(field, error.issues[0]!.message);
  return data;
}

/** Reads yes or no; null if the cell is blank. */
function readActive(text: string): boolean | null {
  if (text === "") return null;
  const isActive = readTruth(text);
  if (isActive === undefined) throw new Fault("is_active", "is_active must be true or false");
  return isActive;
}
