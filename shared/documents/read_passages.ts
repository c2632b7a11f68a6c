import type { DocumentReader, Position, Step } from "./document_reader.ts";
import { createTextReader } from "./read_text.ts";
import { createPassageSplitter, type Passage, type SplitterState } from "./split_passages.ts";

export type { Passage } from "./split_passages.ts";
export { UnreadableDocument } from "./unreadable_document.ts";

/** The types of documents that have text. */
export type DocumentKind = "pdf" | "docx" | "txt" | "md";

/** Where to go on in a later process. It can be written as JSON and is nobody else's business. */
export type Bookmark = {
  position: Position;
  splitter: SplitterState;
  /** How many passages of the next step are in the last batch already. */
  skip: number;
};

/** Up to 50 passages, from up to 20 pages or about 150 ms of work; `next` is null after the last batch. */
export type Batch = { passages: Passage[]; next: Bookmark | null };

// What an isolate that has used up its budget still does at a time.
const batchLimits = { passages: 50, steps: 20, milliseconds: 150 };

/**
 * Reads a document batch by batch, from its beginning or from the bookmark of an earlier run over the same bytes;
 * wherever it is interrupted, the batches add up to the same passages. An empty document is one batch without passages.
 * Throws UnreadableDocument.
 */
export async function* readPassages(
  kind: DocumentKind,
  bytes: Uint8Array,
  from: Bookmark | null,
): AsyncGenerator<Batch> {
  // Not `await using`: a bundle is deployed as JavaScript, and that of the platform does not know it yet.
  const reader = await openDocument(kind, bytes);
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
    const { blocks, next } = await readStep(position);
    const made = blocks.flatMap((block) => splitter.push(block));
    if (next === null) made.push(...splitter.end());
    const end = skip + batchLimits.passages - passages.length;
    passages.push(...made.slice(skip, end));
    if (made.length > end) return { passages, next: { position, splitter: before, skip: end } };
    if (next === null) return { passages, next: null };
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

/** The libraries of a format are loaded by whoever reads one. */
async function openDocument(kind: DocumentKind, bytes: Uint8Array): Promise<DocumentReader> {
  switch (kind) {
    case "pdf":
      return (await import("./read_pdf.ts")).openPdf(bytes);
    case "docx":
      return (await import("./read_docx.ts")).openDocx(bytes);
    case "txt":
    case "md":
      return createTextReader(bytes, { isMarkdown: kind === "md" });
  }
}
