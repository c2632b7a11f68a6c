import { decodeXmlText } from "./xml_text.ts";

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
export function readRichText(xml: string): string {
  const own = xml.includes("rPh") ? xml.replace(/<((?:\w+:)?rPh)(?:\s[^<>]*)?>[^]*?<\/\1>/g, "") : xml;
  const texts = own.matchAll(/<(?:\w+:)?t(?:\s[^<>]*)?>([^<]*)</g);
  return Array.from(texts, ([, text]) => decodeXmlText(text!)).join("");
}
