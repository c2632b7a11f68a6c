import * as z from "zod/mini";
import type { Bookmark, Position } from "./bookmark.ts";
import type { DocumentReader, Loss, Step } from "./document_reader.ts";
import type { Recognize } from "./read_pdf.ts";
import { createTextReader } from "./read_text.ts";
import { createPassageSplitter, type Passage } from "./split_passages.ts";

export { Bookmark } from "./bookmark.ts";
export type { Passage } from "./split_passages.ts";
export { UnreadableDocument } from "./document_reader.ts";

/** The types of documents that have text, by the extension of their names. */
export const DocumentKind = z.enum(["pdf", "docx", "pptx", "xlsx", "odt", "epub", "html", "csv", "txt", "md"]);
export type DocumentKind = z.infer<typeof DocumentKind>;

/** Up to 50 passages, from 20 pages or about 150 ms of work. The last, with `next` null, may have a warning. */
export type Batch = { passages: Passage[]; next: Bookmark | null; warning?: string; hasPictures?: boolean };

// Of the CPU time that an isolate has, a batch takes a small part.
const batchLimits = { passages: 50, steps: 20, milliseconds: 150 };

/**
 * Reads a document batch by batch, from its beginning or from the bookmark of an earlier reading of the same bytes. The
 * passages are the same, no matter where the reading is interrupted. An empty document is one batch without passages.
 * Throws UnreadableDocument, and what `recognize` throws.
 *
 * @param options.recognize reads the pages of a PDF that have no text, from their pictures
 */
export async function* readPassages(
  kind: DocumentKind,
  bytes: Uint8Array,
  from: Bookmark | null,
  { recognize }: { recognize?: Recognize } = {},
): AsyncGenerator<Batch> {
  // Not `await using`: functions are deployed as JavaScript, and the platform's version does not know it yet.
  const reader = await openDocument(kind, bytes, recognize);
  try {
    const readStep = rememberLast((position) => reader.read(position));
    let bookmark: Bookmark | null = from ??
      { position: { offset: 0 }, splitter: createPassageSplitter().state(), skip: 0 };
    while (bookmark !== null) {
      const batch: Batch = await readBatch(readStep, bookmark);
      yield batch;
      bookmark = batch.next;
    }
  } finally {
    await reader[Symbol.asyncDispose]();
  }
}

async function readBatch(readStep: DocumentReader["read"], from: Bookmark): Promise<Batch> {
  const startedAt = performance.now();
  const splitter = createPassageSplitter(from.splitter);
  const passages: Passage[] = [];
  let { position, skip } = from;
  for (let steps = 1;; steps++) {
    const before = splitter.state();
    const { blocks, next, losses = [], hasPictures = false } = await readStep(position);
    const made = blocks.flatMap((block) => splitter.push(block));
    if (next === null) made.push(...splitter.end());
    const end = skip + batchLimits.passages - passages.length;
    passages.push(...made.slice(skip, end));
    if (made.length > end) return { passages, next: { position, splitter: before, skip: end } };
    if (next === null) {
      const warning = describeLosses(losses);
      return { passages, next: null, ...(warning && { warning }), ...(hasPictures && { hasPictures }) };
    }
    [position, skip] = [next, 0];
    const isFull = passages.length === batchLimits.passages || steps === batchLimits.steps ||
      performance.now() - startedAt > batchLimits.milliseconds;
    if (isFull) return { passages, next: { position, splitter: splitter.state(), skip: 0 } };
  }
}

/** A step that fills several batches is read once. */
function rememberLast(read: DocumentReader["read"]): DocumentReader["read"] {
  let last: { position: Position; step: Promise<Step> } | undefined;
  return (position) => {
    if (last?.position !== position) last = { position, step: read(position) };
    return last.step;
  };
}

/** The libraries of a format are loaded with the first document of that format. */
async function openDocument(kind: DocumentKind, bytes: Uint8Array, recognize?: Recognize): Promise<DocumentReader> {
  switch (kind) {
    case "pdf":
      return (await import("./read_pdf.ts")).openPdf(bytes, recognize);
    case "docx":
      return (await import("./read_docx.ts")).openDocx(bytes);
    case "pptx":
      return (await import("./read_pptx.ts")).openPptx(bytes);
    case "xlsx":
      return (await import("./read_xlsx.ts")).openXlsx(bytes);
    case "odt":
      return (await import("./read_odt.ts")).openOdt(bytes);
    case "epub":
      return (await import("./read_epub.ts")).openEpub(bytes);
    case "html":
      return (await import("./read_html.ts")).openHtml(bytes);
    case "csv":
      return (await import("./read_csv_file.ts")).createCsvReader(bytes);
    case "txt":
    case "md":
      return createTextReader(bytes, { isMarkdown: kind === "md" });
  }
}

const names: Record<Loss["kind"], [one: string, many: string]> = {
  pages_without_text: ["page", "pages"],
  pages_without_letters: ["page", "pages"],
  recognized_pages: ["page", "pages"],
  broken_pages: ["page", "pages"],
  unreadable_pages: ["page", "pages"],
  charts: ["chart", "charts"],
  diagrams: ["diagram", "diagrams"],
  parts: ["embedded document", "embedded documents"],
  objects: ["embedded object", "embedded objects"],
  fields: ["field", "fields"],
  slides_without_text: ["slide", "slides"],
  hidden_slides: ["hidden slide", "hidden slides"],
  hidden_sheets: ["hidden sheet", "hidden sheets"],
  hidden_rows: ["hidden row", "hidden rows"],
  hidden_columns: ["hidden column", "hidden columns"],
  answer_sheets: ["sheet", "sheets"],
};

/** Tells people in a sentence what of a document could not be read; undefined if that is nothing. */
function describeLosses(losses: Loss[]): string | undefined {
  return losses.length === 0 ? undefined : losses.map(describeLoss).join("; ");
}

function describeLoss({ kind, count, total = count }: Loss): string {
  const [one, many] = names[kind];
  if (kind === "answer_sheets") {
    return "it has the columns question and answer: import it as answers to have these given word for word";
  }
  const things = `${count}${/page|slides_/.test(kind) ? ` of ${total}` : ""} ${total === 1 ? one : many}`;
  if (kind.startsWith("hidden")) return `${things} ${count === 1 ? "was" : "were"} left out`;
  if (kind.endsWith("without_text")) return `${things} ${count === 1 ? "has" : "have"} no text`;
  if (kind === "pages_without_letters") return `many letters of ${things} could not be read`;
  if (kind === "recognized_pages") return `the text of ${things} was recognized from a picture`;
  if (kind === "broken_pages") return `the rest of ${things} could not be read`;
  if (kind === "fields") return `${things} ${count === 1 ? "is" : "are"} not filled in`;
  return `${things} could not be read`;
}
