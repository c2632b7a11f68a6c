/** The script that colors code. The other scripts load it when a text has a block of code in a language. */
/// <reference lib="dom" />
import { common, createLowlight } from "lowlight";

type Part = { type: string; value?: string; children?: Part[]; properties?: { className?: unknown } };

/** The milliseconds that a page may spend on colors. Usual code takes one or two; slow code stays as it is. */
const longest = 500;
let spent = 0;

const lowlight = createLowlight(common);

/** Puts the parts of code, which is shown as it was written, into elements with classes for their kinds. */
export function colorCode(place: Element, { code, language }: { code: string; language: string }): void {
  if (spent > longest || !lowlight.registered(language)) return;
  const start = performance.now();
  const { children } = lowlight.highlight(language, code);
  spent += performance.now() - start;
  place.replaceChildren(...children.map((part) => write(part)));
}

function write({ value = "", children, properties }: Part): Node {
  if (children === undefined) return document.createTextNode(value);
  const element = document.createElement("span");
  element.className = [properties?.className ?? []].flat().join(" ");
  element.append(...children.map(write));
  return element;
}
