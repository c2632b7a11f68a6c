/** The script that draws formulas. The other scripts load it when a text has one. */
/// <reference lib="dom" />
import temml from "temml";
import type { Formula } from "../ui/read_markdown.ts";

/** Commands that define others: some lines of them grow into more than a page can show. */
const defining = /\\(?:global|long|[egx]?def|let|futurelet|\w+command)(?![a-z])/i;
/** Commands that draw what they are given up to three times. Each that stands within another multiplies the work. */
const repeating = /\\(?:(?:math)?llap|cancelto|equilibrium)|(?:<=>>|<<=>)\s*\[/g;
/** The most characters that are drawn, with all repetitions: less than a second of work. */
const mostDrawn = 8_000;

/** Replaces a formula that is shown as it was written with MathML; not if a command in it is unknown or not allowed. */
export function drawFormula(place: Element, { text, isBlock: displayMode }: Formula): void {
  if (defining.test(text) || text.length * 3 ** (text.match(repeating)?.length ?? 0) > mostDrawn) return;
  const drawn = document.createElement("span");
  try {
    temml.render(text, drawn, { displayMode, throwOnError: true, maxExpand: 200, maxSize: [2, 20] });
  } catch {
    return;
  }
  place.replaceChildren(...drawn.childNodes);
}
