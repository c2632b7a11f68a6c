import { writeLink } from "./write_link.ts";

/** The addresses that a Markdown text defines in lines of their own, by their labels. */
export type LinkDefinitions = ReadonlyMap<string, string>;

/** A line that defines an address: `[label]: https://… "title"`. */
export const definitionLine =
  /^ {0,3}\[([^[\]\n^][^[\]\n]{0,200})\]:[ \t]*<?((?:https?:\/\/|mailto:|tel:)[^\s<>]{1,500})>?(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*\r?$/;
const definitionLines = new RegExp(definitionLine, "gm");
/** `[words][label]`, `[label][]` and `[label]`. */
const references = /(!?)\[([^[\]\n]{1,300})\](?:\[([^[\]\n]{0,200})\])?(?![(:])/g;

/** Finds the definitions of a text. */
export function readLinkDefinitions(text: string): LinkDefinitions {
  const definitions = new Map<string, string>();
  for (const [, label, address] of text.matchAll(definitionLines)) {
    const key = keyOf(label!);
    // The first one counts.
    if (!definitions.has(key)) definitions.set(key, address!);
  }
  return definitions;
}

/** Writes the address of each link behind its words. Pictures are their words, and other brackets stay. */
export function writeReferences(text: string, definitions: LinkDefinitions): string {
  return text.replace(references, (whole, picture, words, label) => {
    const address = definitions.get(keyOf(label || words));
    if (address === undefined) return whole;
    return picture === "!" ? words : writeLink(words, address);
  });
}

function keyOf(label: string): string {
  return label.trim().replace(/\s+/g, " ").toLowerCase();
}
