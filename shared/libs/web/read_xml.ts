import { Parser } from "htmlparser2";

/** An element of an XML text. Its names are in lower case and without the prefix of their namespace. */
export type XmlElement = {
  name: string;
  /** Empty if it has none. */
  prefix: string;
  attributes: Record<string, string>;
  /** The text of the element itself, at most 4,000 characters. */
  text: string;
};

/** Elements, from the root. */
type Visit = (element: XmlElement, parents: XmlElement[]) => boolean | void;

const deepest = 100;
const mostAttributes = 100;
const longestText = 4_000;
const pieceLength = 16 * 1_024;

/**
 * Reads XML piece by piece: it takes time in proportion to its length, and memory for the elements that are open. Entities
 * of its own are not expanded. `close` is called with each element that ends; if it returns false, reading ends there.
 *
 * @returns whether the text was read to the end of its root
 */
export function readXml(
  texts: Iterable<string>,
  { open, close }: { open?: Visit; close: Visit },
): { isWhole: boolean } {
  const elements: XmlElement[] = [];
  let attributes = 0;
  let isStopped = false;
  let isWhole = false;

  const parser = new Parser({
    onopentagname() {
      attributes = 0;
    },
    onattribute() {
      if (++attributes > mostAttributes) isStopped = true;
    },
    onopentag(fullName, found) {
      if (isStopped) return;
      const [name, prefix] = splitName(fullName);
      const element = { name, prefix, attributes: found, text: "" };
      if (open?.(element, elements) === false || elements.length >= deepest) isStopped = true;
      elements.push(element);
    },
    ontext(data) {
      const element = elements.at(-1);
      if (!isStopped && element && element.text.length < longestText) element.text += data.slice(0, longestText);
    },
    onclosetag() {
      const element = elements.pop();
      if (isStopped || !element) return;
      if (close(element, elements) === false) isStopped = true;
      else if (elements.length === 0) isStopped = isWhole = true;
    },
  }, { xmlMode: true });
  for (const text of texts) {
    for (let at = 0; at < text.length && !isStopped; at += pieceLength) parser.write(text.slice(at, at + pieceLength));
    if (isStopped) break;
  }
  // The parser is not told the end: it would close the elements that are still open, whose text may be cut.
  return { isWhole };
}

function splitName(name: string): [name: string, prefix: string] {
  const at = name.indexOf(":");
  return [name.slice(at + 1).toLowerCase(), name.slice(0, Math.max(at, 0))];
}
