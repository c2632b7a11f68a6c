import { Buffer } from "node:buffer";
import { checkXml } from "./check_xml.ts";
import { type Block, type DocumentReader, unreadable, UnreadableDocument } from "./document_reader.ts";
import { createContext, type DocxParts, type InnerDocument } from "./docx/create_context.ts";
import { readBody } from "./docx/read_body.ts";
import { decodeHtml } from "./docx/read_mht.ts";
import { readRelationships } from "./docx/relationships.ts";
import { decodeXml, isCompoundFile } from "./open_package.ts";
import { lossesOf } from "./parts_reader.ts";
import { endOfSlice, findBody, sliceBody } from "./slice_body.ts";
import { unzipParts } from "./unzip_parts.ts";

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
