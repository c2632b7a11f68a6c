import { readJson } from "../../libs/base/fields_of.ts";

/**
 * Texts in the cells of a sheet. A spreadsheet computes a cell that begins like a formula, so such a text is written with
 * an apostrophe before its sign. Where a spreadsheet expects another separator than the sheet has, cells also begin after
 * semicolons, tabs and line breaks. There, a sign with a space after it is an entry of a list, and stays as it is.
 */

/** Signs that formulas begin with. Some spreadsheets read wide ones like others. */
const sign = "[=+\\-@＝＋－＠]";
/** Characters before the sign that spreadsheets do not count. */
const ignored = `[\\s\\p{Cf}"']*`;

/** Matches the place before a sign; `quote` is what stands between that place and the sign. */
const placeBefore = (quote: string) => `(?:(?:^|[;\\t])${ignored}|[\\r\\n]${ignored}(?!${quote}[-+] ))`;

// The signs come first: then a text is not searched again for each of its characters.
const unquoted = new RegExp(`(?=${sign})(?<=${placeBefore("")})`, "gu");
const quoted = new RegExp(`'(?=${sign})(?<=${placeBefore("'")}')`, "gu");

/** Writes a text of a cell. */
export function writeCellText(text: string): string {
  return text.replaceAll(unquoted, "'");
}

/** Reads a text of a cell, without white space at its ends. */
export function readCellText(cell: string): string {
  return cell.trim().replaceAll(quoted, "");
}

/** Writes variants, one a line; as JSON if their lines would be read as others. */
export function writeVariants(variants: string[]): string {
  const lines = variants.join("\n");
  const read = readVariants(lines);
  const isSame = read.length === variants.length && read.every((variant, index) => variant === variants[index]);
  return isSame ? lines : JSON.stringify(variants);
}

/** Reads variants, one a line or as JSON. */
export function readVariants(text: string): string[] {
  if (text.startsWith("[")) {
    const list = parseList(text);
    if (list !== null) return list;
  }
  return text.split(/\r\n|\r|\n/).map((line) => line.trim()).filter((line) => line !== "");
}

function parseList(text: string): string[] | null {
  const value = readJson(text);
  return Array.isArray(value) && value.every((each) => typeof each === "string") ? value : null;
}

/** Truth in the languages in which spreadsheets write it. */
const words = new Map<string, boolean>([
  ..."true,yes,y,1,wahr,ja,vrai,oui,verdadero,sí,si,verdadeiro,sim,vero,waar".split(",").map((word) =>
    [word, true] as const
  ),
  ..."false,no,n,0,falsch,nein,faux,non,falso,não,nao,onwaar,nee".split(",").map((word) => [word, false] as const),
]);

/** Reads yes or no; undefined for anything else. */
export function readTruth(text: string): boolean | undefined {
  return words.get(text.toLowerCase());
}
