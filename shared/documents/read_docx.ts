import { Buffer } from "node:buffer";
import { zipSync } from "fflate";
import mammoth from "mammoth";
import type { Block, DocumentReader } from "./document_reader.ts";
import { readHtml } from "./read_html.ts";
import { endOfSlice, findBody, sliceBody } from "./slice_body.ts";
import { unreadable, UnreadableDocument } from "./unreadable_document.ts";
import { unzipParts } from "./unzip_parts.ts";

const maxBytes = 16_000_000;
/** The limit for tags and attributes of all other parts than the text: mammoth reads them again for each slice. */
const maxOtherMarks = 50_000;
/** How an encrypted document begins: it is not a ZIP archive. */
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
  const body = findBody(new TextDecoder().decode(document));
  parts.delete(name);
  const others = Array.from(parts.values(), (part) => new TextDecoder().decode(part));
  if (others.some((part) => part.includes("<!DOCTYPE"))) throw unreadable.damaged();
  if (others.reduce((sum, part) => sum + countMarks(part), 0) > maxOtherMarks) throw unreadable.tooLarge();

  return {
    async read({ offset, open = [] }) {
      const from = { offset: Math.max(offset, body.start), open };
      const to = endOfSlice(body, from);
      const files = Object.fromEntries([...parts, [name, new TextEncoder().encode(sliceBody(body, { from, to }))]]);
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
  const [element] = /<[^<>]*\/relationships\/officeDocument"[^<>]*>/.exec(relationships) ?? [];
  return /\sTarget="\/?([^"]+)"/.exec(element ?? "")?.[1] ?? "word/document.xml";
}

function countMarks(xml: string): number {
  return xml.split(/[<=]/).length - 1;
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
