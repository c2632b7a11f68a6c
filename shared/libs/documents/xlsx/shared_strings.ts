import { decodeEntities } from "../docx/read_xml.ts";

/**
 * The strings that the cells of a workbook share, by their number. They are read when they are asked for: there may be
 * hundreds of thousands. Readings above the characters are left out.
 */
export function readSharedStrings(xml: string): (index: number) => string {
  const starts = Array.from(xml.matchAll(/<(?:\w+:)?si(?:\s[^<>]*)?>/g), ({ index }) => index);
  return (index) => {
    const start = starts[index];
    return start === undefined ? "" : readRichText(xml.slice(start, starts[index + 1]));
  };
}

/** The text of runs, without the readings above them. */
function readRichText(xml: string): string {
  const own = xml.includes("rPh") ? xml.replace(/<((?:\w+:)?rPh)(?:\s[^<>]*)?>[^]*?<\/\1>/g, "") : xml;
  const texts = own.matchAll(/<(?:\w+:)?t(?:\s[^<>]*)?>([^<]*)</g);
  return Array.from(texts, ([, text]) => decodeEscapes(decodeEntities(text!))).join("");
}

/** Excel's own escapes, such as `_x000D_`, for characters that XML does not allow, and for its own. */
export function decodeEscapes(text: string): string {
  return text.replace(/_x([\da-fA-F]{4})_/g, (_, code) => String.fromCharCode(parseInt(code, 16)));
}
