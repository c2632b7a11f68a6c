import { getDocumentProxy } from "unpdf";
import { catchStrayErrors } from "./catch_stray_errors.ts";
import { defusePdf } from "./defuse_pdf.ts";
import type { Block, DocumentReader } from "./document_reader.ts";
import { layOutPage, type TextItem } from "./lay_out_page.ts";
import { unreadable, UnreadableDocument } from "./unreadable_document.ts";

const maxPages = 10_000;
// In PDF, forms that show forms can make a page of any length out of a small file. A page is one step of work, and the
// isolate has 2 s for everything: 50,000 pieces of text take half a second.
const maxItemsOfPage = 50_000;
// 550 printed pages. A page makes many batches, and each of them splits the page from its beginning.
const maxCharactersOfPage = 1_000_000;
// By the clock, which also counts the time in which the machine does other work.
const maxMillisecondsOfPage = 2_000;

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;

/** Opens a PDF file; `offset` of its reader counts pages. Throws UnreadableDocument. */
export async function openPdf(bytes: Uint8Array): Promise<DocumentReader> {
  // A copy: defusing writes to it, and pdf.js detaches it.
  const copy = bytes.slice();
  defusePdf(copy);
  const strayErrors = catchStrayErrors();
  let pdf: PdfDocument;
  try {
    pdf = await openDefused(copy);
  } catch (error) {
    await strayErrors[Symbol.asyncDispose]();
    throw error;
  }
  return {
    async read({ offset, unreadPages = 0 }) {
      const page = offset + 1;
      const blocks = await readPage(pdf, page);
      const failures = unreadPages + (blocks === undefined ? 1 : 0);
      // A damaged page among good ones is left out.
      if (failures === pdf.numPages) throw unreadable.damaged();
      return { blocks: blocks ?? [], next: page < pdf.numPages ? { offset: page, unreadPages: failures } : null };
    },

    async [Symbol.asyncDispose]() {
      try {
        await pdf.loadingTask.destroy();
      } finally {
        await strayErrors[Symbol.asyncDispose]();
      }
    },
  };
}

async function openDefused(bytes: Uint8Array): Promise<PdfDocument> {
  const pdf = await getDocumentProxy(bytes, { verbosity: 0, disableFontFace: true, useSystemFonts: false })
    .catch(() => {
      throw unreadable.damaged();
    });
  if (pdf.numPages <= maxPages) return pdf;
  await pdf.loadingTask.destroy();
  throw unreadable.tooLarge();
}

/** Undefined if the page is damaged. */
async function readPage(pdf: PdfDocument, number: number): Promise<Block[] | undefined> {
  try {
    const page = await pdf.getPage(number);
    try {
      return layOutPage(await readItems(page.streamTextContent()), number);
    } finally {
      page.cleanup();
    }
  } catch (error) {
    if (error instanceof UnreadableDocument) throw error;
  }
}

async function readItems(stream: ReadableStream<{ items: TextItem[] }>): Promise<TextItem[]> {
  const items: TextItem[] = [];
  let characters = 0;
  const reader = stream.getReader();
  const watch = watchClock(maxMillisecondsOfPage);
  try {
    for (;;) {
      const chunk = await Promise.race([reader.read(), watch.over]);
      if (chunk?.done) return items;
      for (const item of chunk?.value.items ?? []) {
        items.push(item);
        characters += item.str.length;
      }
      if (chunk === undefined || items.length > maxItemsOfPage || characters > maxCharactersOfPage) {
        // pdf.js needs an error as the reason: otherwise it fails later, where that cannot be caught.
        await reader.cancel(new Error("The page has no end"));
        throw unreadable.tooLarge();
      }
    }
  } finally {
    watch.stop();
  }
}

/**
 * `over` resolves after some milliseconds, even while other code never lets the event loop go on: pdf.js works in
 * microtasks from the first to the last operation of a page, so that no timer would fire.
 */
function watchClock(milliseconds: number): { over: Promise<undefined>; stop(): void } {
  const endsAt = performance.now() + milliseconds;
  let isStopped = false;
  async function look(): Promise<undefined> {
    while (!isStopped && performance.now() < endsAt) await undefined;
  }
  return { over: look(), stop: () => void (isStopped = true) };
}
