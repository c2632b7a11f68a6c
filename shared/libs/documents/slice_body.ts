import { Parser } from "htmlparser2";
import { unreadable } from "./document_reader.ts";

// A slice is one step of work. An element or an attribute takes 1 to 2 µs.
const usualElements = 5_000;
const mostElements = 30_000;
const usualLength = 150_000;
const mostLength = 3_000_000;
const deepest = 200;
const chunkLength = 64 * 1024;

/** The XML of a document. From `start` to `end` is the content of its body. */
export type DocumentBody = { xml: string; start: number; end: number };

/** A place in the XML between two elements, and the elements of the body that are open there. */
export type BodyPlace = { offset: number; open: string[] };

/** Throws UnreadableDocument for XML without a body, or with declarations that may expand without limit. */
export function findBody(xml: string): DocumentBody {
  const opening = /<((?:[\w.-]+:)?body)(?:\s[^<>]*)?>/.exec(xml);
  const end = opening === null ? -1 : xml.lastIndexOf(`</${opening[1]}`);
  if (opening === null || end === -1 || xml.includes("<!DOCTYPE")) throw unreadable.damaged();
  return { xml, start: opening.index + opening[0].length, end };
}

/**
 * Returns the end of a slice of the body that is small enough to be read in one piece. It is the end of a paragraph or of
 * a table row. Throws UnreadableDocument if a single one is too large.
 */
export function endOfSlice({ xml, end }: DocumentBody, from: BodyPlace): BodyPlace {
  const reopened = openTags(from.open);
  const stack: string[] = [];
  let elements = 0;
  let last: BodyPlace | undefined;
  let isFull = false;
  const parser = new Parser({
    onopentagname(name) {
      elements++;
      stack.push(name);
      if (stack.length > deepest) throw unreadable.tooLarge();
    },
    onattribute: () => void elements++,
    onclosetag() {
      stack.pop();
      if (isFull || !stack.every(isDivisible)) return;
      if (last === undefined && elements > mostElements) throw unreadable.tooLarge();
      const offset = from.offset - reopened.length + parser.endIndex + 1;
      isFull = elements > usualElements || offset - from.offset > usualLength;
      if (!isFull || last === undefined) last = { offset, open: [...stack] };
    },
  }, { xmlMode: true });
  parser.write(reopened);
  for (let at = from.offset; at < end && !isFull; at += chunkLength) {
    parser.write(xml.slice(at, Math.min(at + chunkLength, end)));
    isFull ||= elements > mostElements || at - from.offset > mostLength;
  }
  if (!isFull) return { offset: end, open: [] };
  if (last === undefined) throw unreadable.tooLarge();
  return last;
}

/** The XML of a document with only the slice between two places. */
export function sliceBody(
  { xml, start, end }: DocumentBody,
  { from, to }: { from: BodyPlace; to: BodyPlace },
): string {
  const closed = to.open.toReversed().map((name) => `</${name}>`).join("");
  return xml.slice(0, start) + openTags(from.open) + xml.slice(from.offset, to.offset) + closed + xml.slice(end);
}

function openTags(names: string[]): string {
  return names.map((name) => `<${name}>`).join("");
}

/** Returns whether an element may be divided: tables between rows, and content controls between paragraphs, since one
 * may contain a whole document. */
function isDivisible(name: string): boolean {
  return name === "w:tbl" || name === "w:sdt" || name === "w:sdtContent";
}
