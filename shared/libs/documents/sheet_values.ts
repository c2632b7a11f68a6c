import { format, isDateFormat } from "numfmt";
import { decodeEntities, readXml } from "./docx/read_xml.ts";
import type { SheetCell } from "./sheet_table.ts";

/** Shows a number as its cell does; `style` is the number of the cell's format. */
export type FormatValue = (value: number, style: number) => Pick<SheetCell, "text" | "kind">;

/** The formats that a workbook uses without naming them. What a language decides is written as everywhere: 2026-05-03. */
const builtIn: Record<number, string> = {
  ...{ 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??" },
  ...{ 14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM" },
  ...{ 20: "h:mm", 21: "h:mm:ss", 22: "yyyy-mm-dd h:mm", 37: "#,##0;-#,##0", 38: "#,##0;-#,##0" },
  ...{ 39: "#,##0.00;-#,##0.00", 40: "#,##0.00;-#,##0.00", 41: "#,##0;-#,##0", 42: "#,##0;-#,##0" },
  ...{ 43: "#,##0.00;-#,##0.00", 44: "#,##0.00;-#,##0.00", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0" },
  ...{ 48: "##0.0E+0", 49: "@" },
  ...Object.fromEntries([27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58].map((id) => [id, "yyyy-mm-dd"])),
};
/** The dates that the language of the reader's system writes, long or as a time. */
const ofSystem: [RegExp, string][] = [[/^\[\$-F800\].*/i, "d mmmm yyyy"], [/^\[\$-F400\].*/i, "h:mm:ss"]];
const longestPattern = 500;
/** The days between the two beginnings of a calendar that workbooks have. */
const daysUntil1904 = 1_462;

/** Reads `xl/styles.xml`. */
export function readFormats(xml: string, { uses1904 }: { uses1904: boolean }): FormatValue {
  const named = new Map<number, string>();
  const ids: number[] = [];
  let isInCells = false;
  readXml(xml, {
    open(name, { numFmtId = "0", formatCode = "" }) {
      if (name === "cellXfs") isInCells = true;
      if (name === "numFmt") named.set(Number(numFmtId), formatCode);
      if (name === "xf" && isInCells) ids.push(Number(numFmtId));
    },
    close(name) {
      if (name === "cellXfs") isInCells = false;
    },
  });
  const patterns = ids.map((id) => {
    const pattern = named.get(id) ?? builtIn[id] ?? "General";
    const code = ofSystem.find(([mark]) => mark.test(pattern))?.[1] ?? pattern;
    if (code.length > longestPattern) return { code: "General", isDate: false };
    return { code, isDate: !/^general$/i.test(code) && isDateFormat(code) };
  });

  return (value, style) => {
    const { code, isDate } = patterns[style] ?? { code: "General", isDate: false };
    const shown = isDate && uses1904 ? value + daysUntil1904 : value;
    try {
      const text = format(code, shown, { nbsp: false, skipChar: "", repeatChar: "", throws: true }).trim();
      // A format that shows nothing hides a value.
      return { text: /^#+$/.test(text) ? String(value) : text, kind: isDate ? "date" : "number" };
    } catch {
      return { text: String(value), kind: "number" };
    }
  };
}

/** The strings that cells share, by number, without readings above characters. Read when they are asked for. */
export function readSharedStrings(xml: string): (index: number) => string {
  const starts = Array.from(xml.matchAll(/<(?:\w+:)?si(?:\s[^<>]*)?>/g), ({ index }) => index);
  return (index) => {
    const start = starts[index];
    return start === undefined ? "" : readRichText(xml.slice(start, starts[index + 1]));
  };
}

/** The text of runs, without the readings above them. */
function readRichText(xml: string): string {
  const own = xml.includes("rPh") ? xml.replace(/<((?:\w+:)?rPh)(?:\s[^<>]*)?>(?:(?!<\1[\s>])[^])*?<\/\1>/g, "") : xml;
  const texts = own.matchAll(/<(?:\w+:)?t(?:\s[^<>]*)?>([^<]*)</g);
  return Array.from(texts, ([, text]) => decodeEscapes(decodeEntities(text!))).join("");
}

/** Excel's own escapes, such as `_x000D_`, for characters that XML does not allow, and for its own. */
export function decodeEscapes(text: string): string {
  return text.replace(/_x([\da-fA-F]{4})_/g, (_, code) => String.fromCharCode(parseInt(code, 16)));
}
