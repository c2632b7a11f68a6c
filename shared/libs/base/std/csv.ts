/** CSV of the standard library, with its types: the package `deno-std` declares none. */
import { parse as parseCsvRows } from "deno-std/csv/parse.js";
import { stringify as stringifyCsvRows } from "deno-std/csv/stringify.js";

/** Parses CSV without empty rows. @throws {SyntaxError} with "line" and the number of the row */
export const parseCsv: (csv: string, options: { separator: string }) => string[][] = parseCsvRows;

/** Writes rows as CSV. */
export const stringifyCsv: (rows: string[][]) => string = stringifyCsvRows;
