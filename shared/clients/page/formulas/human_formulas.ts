/** The script that draws formulas. The other scripts load it when a text has one. */
/// <reference lib="dom" />
import temml from "temml";
import type { Formula } from "../ui/read_markdown.ts";

/** Replaces a formula that is shown as it was written with MathML; not if a command in it is unknown or not allowed. */
export function drawFormula(place: Element, { text, isBlock: displayMode }: Formula): void {
  const drawn = document.createElement("span");
  try {
    temml.render(text, drawn, { displayMode, throwOnError: true, maxExpand: 200, maxSize: [2, 20] });
  } catch {
    return;
  }
  place.replaceChildren(...drawn.childNodes);
}
