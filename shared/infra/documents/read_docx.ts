import { Buffer } from "node:buffer";
import { zipSync } from "fflate";
import mammoth from "mammoth";
import { checkXml } from "./check_xml.ts";
import type { Block, DocumentReader } from "./document_reader.ts";
import { readHtml } from "./read_html.ts";
import { endOfSlice, findBody, sliceBody } from "./slice_body.ts";
import { unreadable, UnreadableDocument } from "./unreadable_document.ts";
import { unzipParts } from "./unzip_parts.ts";

const maxBytes = 16_000_000;
// The limits for all other parts than the text: mammoth reads them again for each slice.
const maxOtherMarks = 50_000;
const maxOtherLength = 4_000_000;
/** The limit for tags and attributes of a slice, with its end tags, and what stands before and after the body. */
const maxMarksOfSlice = 64_000;
const maxLengthAround = 100_000;
const usualName = "word/document.xml";
/** The first bytes of an encrypted document, which is not a ZIP archive. */
const compoundFile = [0xd0, 0xcf, 0x11, 0xe0];

/**
 * Opens a DOCX file; `offset` of its reader counts the characters of its XML. mammoth needs up to three hundred
 * times the memory of the XML it reads, so it gets one slice of the document at a time. Throws UnreadableDocument.
 */
export function openDocx(bytes: Uint8Array): DocumentReader {
  if (compoundFile.every((byte, i) => bytes[i] === byte)) throw unreadable.encrypted();
  const parts = unzipParts(bytes, { isWanted: isText, maxBytes });
  const name = nameOfDocument(parts);
  const document = parts.get(name);
  if (document === undefined) throw unreadable.damaged();
  const body = findBody(decode(document));
  if (body.start + body.xml.length - body.end > maxLengthAround) throw unreadable.tooLarge();
  parts.delete(name);
  checkOthers(parts);

  return {
    async read({ offset, open = [] }) {
      const from = { offset: Math.max(offset, body.start), open };
      const to = endOfSlice(body, from);
      const slice = sliceBody(body, { from, to });
      checkXml(slice, { maxMarks: maxMarksOfSlice });
      const files = Object.fromEntries([...parts, [name, new TextEncoder().encode(slice)]]);
      return { blocks: await readWhole(files), next: to.offset < body.end ? to : null };
    },

    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** The parts that mammoth reads for the text: no images, comments, headers or footers. */
function isText(name: string): boolean {
  return name === "[Content_Types].xml" || /(?:^|\/)_rels\/[^/]*\.rels$/.test(name) ||
    /^(?!docProps|customXml)[^/]+\/(?!comments|header|footer|settings|webSettings|fontTable|people)[^/]+\.xml$/.test(
      name,
    );
}

function nameOfDocument(parts: Map<string, Uint8Array>): string {
  const relationships = new TextDecoder().decode(parts.get("_rels/.rels"));
  for (const [element] of relationships.matchAll(/<[^<>]*>/g)) {
    if (!element.includes('/relationships/officeDocument"')) continue;
    return /\sTarget="\/?([^"]+)"/.exec(element)?.[1] ?? usualName;
  }
  return usualName;
}

const paragraphSeparator = "\u2029";

/** Mammoth's parser would look at the text before a paragraph separator once for each character; here that is a space. */
function decode(part: Uint8Array): string {
  return new TextDecoder().decode(part).replaceAll(paragraphSeparator, " ");
}

/** Throws UnreadableDocument where the parts are too much for mammoth, and writes to them what it must not see. */
function checkOthers(parts: Map<string, Uint8Array>): void {
  let marksLeft = maxOtherMarks;
  let lengthLeft = maxOtherLength;
  for (const [name, part] of parts) {
    const xml = decode(part);
    lengthLeft -= part.length;
    if (lengthLeft < 0) throw unreadable.tooLarge();
    marksLeft -= checkXml(xml, { maxMarks: marksLeft });
    parts.set(name, new TextEncoder().encode(xml));
  }
}

async function readWhole(files: Record<string, Uint8Array>): Promise<Block[]> {
  try {
    const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(zipSync(files, { level: 0 })) }, {
      convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: "" })),
      includeEmbeddedStyleMap: false,
    });
    return readHtml(value);
  } catch (error) {
    throw error instanceof UnreadableDocument ? error : unreadable.damaged();
  }
}
