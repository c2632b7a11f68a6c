import type { DocumentReader } from "./document_reader.ts";
import { decodeHtml } from "./docx/read_mht.ts";
import { createPartsReader } from "./parts_reader.ts";
import { readHtml } from "./read_html.ts";
import { unreadable } from "./unreadable_document.ts";

/** It is read at once, without a tree. */
const longestHtml = 6_000_000;

/** Opens an HTML file, which is read as it stands. Throws UnreadableDocument. */
export function openHtml(bytes: Uint8Array): DocumentReader {
  const html = decodeHtml(bytes);
  if (html.length > longestHtml) throw unreadable.tooLarge();
  return createPartsReader({ count: 1, readPart: () => readHtml(html), hasPictures: true });
}
