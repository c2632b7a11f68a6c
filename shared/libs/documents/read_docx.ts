import { Buffer } from "node:buffer";
import { checkXml } from "./check_xml.ts";
import { type Block, type DocumentReader, unreadable, UnreadableDocument } from "./document_reader.ts";
import { createContext, type DocxParts, type InnerDocument } from "./docx/create_context.ts";
import { readBody } from "./docx/read_body.ts";
import { decodeHtml } from "./docx/read_mht.ts";
import { readRelationships } from "./docx/relationships.ts";
import { decodeXml, isCompoundFile, unzipParts } from "./open_package.ts";
import { lossesOf } from "./parts_reader.ts";
import { Parser } from "htmlparser2";

const maxBytes = 16_000_000;
// The limits for all other parts than the text: they are looked through each time that a document is opened.
const maxOtherMarks = 400_000;
const maxOtherLength = 4_000_000;
/** The limit for tags and attributes of a slice, with its end tags, and what stands before and after the body. */
const maxMarksOfSlice = 64_000;
const maxLengthAround = 100_000;
/** The limit for tags and attributes of a document in another one. */
const maxMarksOfInner = 200_000;
const usualName = "word/document.xml";

/** Opens a DOCX file; `offset` of its reader counts the characters of its XML. Throws UnreadableDocument. */
export function openDocx(bytes: Uint8Array): DocumentReader {
  if (isCompoundFile(bytes)) throw unreadable.encrypted();
  const { body, context } = openParts(bytes, openInner);

  return {
    read({ offset, open = [], counters = {}, header, lost = {} }) {
      const from = { offset: Math.max(offset, body.start), open };
      const to = endOfSlice(body, from);
      const slice = sliceBody(body, { from, to });
      checkXml(slice, { maxMarks: maxMarksOfSlice });
      const isBeginning = from.offset === body.start;
      const state = { counters: structuredClone(counters), header, lost: { ...lost } };
      const blocks = readSafely(() => [
        ...(isBeginning ? context.readMargins(state) : []),
        ...readBody(slice, context.inState(state)),
      ]);
      if (to.offset >= body.end) {
        return Promise.resolve({
          blocks,
          next: null,
          losses: lossesOf(state.lost),
          hasPictures: hasPictures(body.xml),
        });
      }
      const goesOn = to.open.some((tag) => tag.endsWith(":tbl"));
      const next = { ...to, counters: state.counters, lost: state.lost, header: goesOn ? headerOf(blocks) : undefined };
      return Promise.resolve({ blocks, next });
    },

    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

type OpenInner = (file: string) => InnerDocument | undefined;

function openParts(bytes: Uint8Array, openInner: OpenInner) {
  const parts = unzipParts(bytes, { isWanted: isText, maxBytes });
  const name = nameOfDocument(parts);
  const document = parts.get(name);
  if (document === undefined) throw unreadable.damaged();
  const body = findBody(decodeXml(document));
  if (body.start + body.xml.length - body.end > maxLengthAround) throw unreadable.tooLarge();
  parts.delete(name);
  const others = decodeOthers(parts);
  const length = [...others.values()].reduce((sum, text) => sum + text.length, body.xml.length);
  return { body, length, context: createContext(others, name, openInner) };
}

/** Opens a document in another one. It is read at once, and without documents in it. */
function openInner(file: string): InnerDocument | undefined {
  try {
    const { body, length, context } = openParts(Buffer.from(file, "latin1"), () => undefined);
    checkXml(body.xml, { maxMarks: maxMarksOfInner });
    return { length, read: (state) => readBody(body.xml, context.inState(state)) };
  } catch (error) {
    if (error instanceof UnreadableDocument) return undefined;
    throw error;
  }
}

function headerOf(blocks: Block[]): string | undefined {
  return blocks.findLast(({ header }) => header !== undefined)?.header;
}

function hasPictures(xml: string): boolean {
  return /<(?:a:blip|v:imagedata)\s/.test(xml);
}

function readSafely<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof UnreadableDocument ? error : unreadable.damaged();
  }
}

/** The parts that have text, or say how it looks: no images, comments or settings. */
function isText(name: string): boolean {
  return /(?:^|\/)_rels\/[^/]*\.rels$/.test(name) ||
    /^(?!docProps|customXml)[^/]+\/(?!comments|settings|webSettings|fontTable|people|theme)[^/]+\.(?:xml|x?html?|txt|mht|mhtml|doc[xm])$/
      .test(name) ||
    /\/(?:charts\/chart|diagrams\/data)[^/]*\.xml$/.test(name);
}

function nameOfDocument(parts: Map<string, Uint8Array>): string {
  const xml = decodeXml(parts.get("_rels/.rels") ?? new Uint8Array());
  checkXml(xml, { maxMarks: maxOtherMarks });
  for (const { kind, target } of readRelationships(xml, "").values()) if (kind === "officeDocument") return target;
  return usualName;
}

function isDocument(name: string): boolean {
  return /\.doc[xm]$/i.test(name);
}

/** Bytes that are not text, or not yet, are characters. */
function decodePart(name: string, part: Uint8Array): string {
  if (isDocument(name) || /\.mht(?:ml)?$/i.test(name)) return Buffer.from(part).toString("latin1");
  return /\.(?:x?html?|txt)$/i.test(name) ? decodeHtml(part) : decodeXml(part);
}

/** Throws UnreadableDocument where the parts are too much to be looked through. */
function decodeOthers(parts: Map<string, Uint8Array>): DocxParts {
  let marksLeft = maxOtherMarks;
  let lengthLeft = maxOtherLength;
  return new Map(Array.from(parts, ([name, part]) => {
    const text = decodePart(name, part);
    if (!isDocument(name)) lengthLeft -= part.length;
    if (lengthLeft < 0) throw unreadable.tooLarge();
    if (/\.(?:xml|rels)$/.test(name)) marksLeft -= checkXml(text, { maxMarks: marksLeft });
    return [name, text];
  }));
}

// A slice is one step of work. An element or an attribute takes 1 to 2 µs.
const usualElements = 5_000;
const mostElements = 30_000;
const usualLength = 150_000;
const mostLength = 3_000_000;
const deepest = 200;
const chunkLength = 64 * 1024;

/** The XML of a document. From `start` to `end` is the content of its body. */
type DocumentBody = { xml: string; start: number; end: number };

/** A place in the XML between two elements, and the elements of the body that are open there. */
type BodyPlace = { offset: number; open: string[] };

/** Throws UnreadableDocument for XML without a body, or with declarations that may expand without limit. */
export function findBody(xml: string): DocumentBody {
  const opening = /<((?:[\w.-]+:)?body)(?:\s[^<>]*)?>/.exec(xml);
  const end = opening === null ? -1 : xml.lastIndexOf(`</${opening[1]}`);
  if (opening === null || end === -1 || xml.includes("<!DOCTYPE")) throw unreadable.damaged();
  return { xml, start: opening.index + opening[0].length, end };
}

/** The end of a slice of the body to read in one piece: that of a paragraph or row. Throws UnreadableDocument. */
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
