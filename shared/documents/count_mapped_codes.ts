const section = /begin(?:bf|cid|notdef)range([^]*?)end/g;
const range = /<([\dA-F\s]*)>\s*<([\dA-F\s]*)>\s*(?:<[\dA-F\s]*>|\d+)/gi;

/**
 * How many codes the ranges of a character map span, where a stream of a PDF file is a character map: pdf.js makes an
 * entry for each of them.
 */
export function countMappedCodes(text: string): number {
  let codes = 0;
  for (const [, ranges = ""] of text.replace(/%[^\r\n]*/g, "").matchAll(section)) {
    // A list names each code of its range.
    for (const [, low = "", high = ""] of ranges.replace(/\[[^\]]*\]/g, " 0 ").matchAll(range)) {
      codes += Math.max(0, codeOf(high) - codeOf(low));
    }
  }
  return codes;
}

function codeOf(digits: string): number {
  return parseInt(`0${digits.replace(/\s/g, "")}`, 16);
}
