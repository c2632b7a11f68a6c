const opening = /begin(?:bf|cid|notdef)range/;
/** The parts of a character map: a comment, a string, a bracket of a list, a word. Each begins where the last ended. */
const part = /%[^\r\n]*|<[^<>]*>?|\((?:[^()\\]|\\[^])*\)?|[[\]]|[^\s\0%<()[\]]+/g;

/** Counts the codes that a stream's character map spans, if it is one: pdf.js makes an entry for each. */
export function countMappedCodes(text: string): number {
  const start = text.search(opening);
  if (start === -1) return 0;
  let codes = 0;
  let isInRanges = false;
  let isInList = false;
  /** The present range so far: its first code, its last one, and what they are mapped to. */
  let range: number[] = [];
  for (const [found] of text.slice(start).matchAll(part)) {
    if (found.startsWith("%")) continue;
    if (found === "[" || found === "]") {
      // A list names each code of its range.
      isInList = found === "[";
      range = [];
    } else if (!found.startsWith("<") && !found.startsWith("(")) {
      if (opening.test(found)) isInRanges = true;
      else if (found.includes("end")) isInRanges = isInList = false;
      range = [];
    } else if (isInRanges && !isInList) {
      range.push(found.startsWith("<") ? codeOf(found) : codeOfLiteral(range.length));
      if (range.length === 2) codes += Math.max(0, range[1]! - range[0]!);
      if (range.length === 3) range = [];
    }
  }
  return codes;
}

/** As pdf.js reads it: the last four bytes; the last digit of an odd number of digits stands for a whole byte. */
function codeOf(string: string): number {
  const digits = string.replace(/[^\dA-Fa-f]/g, "");
  return parseInt(`0${digits.length % 2 === 0 ? digits : `${digits}0`}`.slice(-8), 16);
}

/** Programs write digits. Two strings of another kind are taken for the widest range. */
function codeOfLiteral(index: number): number {
  return index === 0 ? 0 : 0xffffffff;
}
