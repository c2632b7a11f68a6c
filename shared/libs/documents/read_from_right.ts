/** A part of a line, with its letters in the order in which they are read, or as they are seen from left to right. */
export type SeenRun = { text: string; isReversed: boolean; x: number; end: number; height: number };

/** Letters that are written from right to left, with their marks and joiners, without the digits among them. */
const letters = "\\u200C\\u200D\\u0590-\\u065F\\u066E-\\u06EF\\u06FA-\\u08FF\\uFB1D-\\uFDFF\\uFE70-\\uFEFC";
const rightToLeft = new RegExp(`[${letters}]`);
/** Between numbers they are a part of them; `-` and `+` are none in lines with Arabic letters. */
const signs = { hebrew: ".,:/+\\-", arabic: ".,:/\\u066B\\u066C" };
const segments = { hebrew: segmentOf(signs.hebrew), arabic: segmentOf(signs.arabic) };

/** Such letters; words of another script with all between them; a number; what stands between. */
function segmentOf(signs: string): RegExp {
  return new RegExp(
    `[${letters}]+|\\p{L}(?:[^${letters}]*[\\p{L}\\p{N}\\p{M}])?|\\p{N}+(?:[${signs}]\\p{N}+)*|[^\\p{L}\\p{N}\\u200C\\u200D]+`,
    "gu",
  );
}

/** pdf.js turns around the letters of one glyph. The only such glyph of more than two letters is that of this word. */
const [allahTurned, allah] = ["\u0627\u0647\u0644\u0644", "\u0627\u0644\u0644\u0647"];

/** Returns whether any letters are read from right to left. */
export function hasLettersFromRight(runs: { text: string }[]): boolean {
  return runs.some(({ text }) => rightToLeft.test(text));
}

/** Returns whether most letters of a line, or of a page, are read from right to left. */
export function readsFromRight(runs: { text: string }[]): boolean {
  if (!hasLettersFromRight(runs)) return false;
  let balance = 0;
  for (const { text } of runs) {
    for (const [letter] of text.matchAll(/\p{L}/gu)) balance += rightToLeft.test(letter) ? 1 : -1;
  }
  return balance > 0;
}

/**
 * The text of a line that is read from right to left. Words of other scripts and numbers keep their order. Where letters
 * lie over each other there is no space, whatever pdf.js says: a gap between two runs is one.
 */
export function readFromRight(runs: SeenRun[]): string {
  const script = runs.some(({ text }) => /[\u0600-\u065F\u0671-\u06EF\uFB50-\uFDFF\uFE70-\uFEFC]/.test(text))
    ? "arabic"
    : "hebrew";
  const joined = new RegExp(`^[${signs[script]}]?$`);
  const read: string[] = [];
  /** The parts that are read from left to right, and those that stand behind them, each with the right end first. */
  let forward: string[] = [];
  let behind: string[] = [];

  function endForward(): void {
    read.push(...forward.reverse(), ...behind);
    [forward, behind] = [[], []];
  }
  function goesOn(part: string): boolean {
    return forward.length > 0 &&
      (/\p{L}/u.test(part + forward.at(-1)!) || joined.test(behind.join("")));
  }

  for (const part of seenFromRight(runs, segments[script])) {
    if (rightToLeft.test(part)) {
      endForward();
      read.push(part);
    } else if (/[\p{L}\p{N}]/u.test(part)) {
      if (goesOn(part)) forward.push(...behind, part);
      else {
        endForward();
        forward.push(part);
      }
      behind = [];
    } else if (forward.length > 0) {
      behind.push(part);
    } else {
      read.push(part);
    }
  }
  endForward();
  return turnBrackets(read.join("")).replaceAll(allahTurned, allah);
}

/** The segments of a line, the one at its right end first. */
function seenFromRight(runs: SeenRun[], segment: RegExp): string[] {
  const parts: string[] = [];
  let end: number | undefined;
  for (const run of runs.toSorted((one, other) => one.x - other.x)) {
    if (end !== undefined && run.x - end > run.height * 0.1) parts.push(" ");
    end = Math.max(end ?? run.end, run.end);
    const found = run.text.match(segment) ?? [];
    for (const part of run.isReversed ? found.reverse() : found) {
      const isBetween = !run.isReversed && !/[\p{L}\p{N}]/u.test(part);
      parts.push(isBetween ? [...part].reverse().join("") : part);
    }
  }
  return parts.reverse();
}

/** Fonts name brackets as they look, and in a line from right to left they face the other way. */
function turnBrackets(text: string): string {
  const brackets = text.match(/[()[\]]/g) ?? [];
  // Some programs name them as they are meant.
  const isMeant = "([".includes(brackets[0] ?? "(") && brackets.some((bracket) => ")]".includes(bracket));
  return isMeant ? text : text.replace(/[()[\]]/g, (bracket) => ")(]["["()[]".indexOf(bracket)]!);
}
