const quote = 0x22;
const comma = 0x2c;
const openingBracket = 0x5b;
const closingBracket = 0x5d;
const backslash = 0x5c;
const openingBrace = 0x7b;
const closingBrace = 0x7d;

/** Values of one body: far more than any call needs. Parsed, 4 MB of empty objects would take 160 MB of memory. */
export const maxValues = 100_000;
/** Lists and objects within each other. Deeper ones would end in an error wherever they are walked through. */
const maxDepth = 200;

/** Returns whether a JSON text has too many values, or too many within each other, to be parsed. */
export function isTooComplex(json: string): boolean {
  const { values, depth } = measureJson(json);
  return values > maxValues || depth > maxDepth;
}

/**
 * Estimates the number of values in a JSON text by its commas and opening brackets, and how deep they are. The number is
 * never too low; an empty list or object counts twice. Strings are skipped, which makes it fast.
 */
export function measureJson(json: string): { values: number; depth: number } {
  let [values, depth, level] = [1, 0, 0];
  for (let at = 0; at < json.length; at++) {
    const unit = json.charCodeAt(at);
    if (unit === quote) at = findStringEnd(json, at);
    else if (unit === comma) values++;
    else if (unit === openingBracket || unit === openingBrace) {
      values++;
      depth = Math.max(depth, ++level);
    } else if (unit === closingBracket || unit === closingBrace) level--;
  }
  return { values, depth };
}

/** Returns the end of the string that begins at `start`, or the end of the text if it is not closed. */
function findStringEnd(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let escapes = 0;
    while (json.charCodeAt(end - 1 - escapes) === backslash) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return json.length;
}
