import { getDocumentProxy } from "unpdf";
import { type ActualText, type Mark, writeActualTexts } from "./actual_texts.ts";
import { joinPages, type LaidPage, layOutPage, lengthOfRest } from "./lay_out_page.ts";
import { defusePdf } from "./defuse_pdf.ts";
import { type Block, type DocumentReader, type Loss, unreadable, UnreadableDocument } from "./document_reader.ts";
import type { Picture } from "./find_picture.ts";
import { findTables } from "./find_tables.ts";
import { joinLines, type TextItem, writeTexLetters } from "./join_lines.ts";
import { CharacterMaps, loadingOfMaps } from "./load_character_map.ts";
import { parseMarkdown } from "./parse_markdown.ts";
import { type Annotation, readAnnotations } from "./read_annotations.ts";
import { createPage, type Page, withoutRunningLines } from "./running_lines.ts";

const maxPages = 10_000;
// In PDF, forms that show forms can make a page of any length out of a small file. A page is one step of work, and the
// isolate has 2 s for everything: 50,000 pieces of text take half a second.
const maxItemsOfPage = 50_000;
// 550 printed pages. A page makes many batches, and each of them splits the page from its beginning.
const maxCharactersOfPage = 1_000_000;
// Of the page's own work: longer pauses are other work of the machine, which may take twice as long as this besides.
const maxMillisecondsOfPage = 2_000;
const longestStep = 5;
/** Each may take as long as an isolate has. */
const mostHugePages = 3;
/** Fewer unknown letters are bullets and signs. */
const leastUnknown = 20;
const mostWithin = 1;
/** Lines that repeat on left or right pages are found two pages on. */
const reach = 2;

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;
type PdfPage = Awaited<ReturnType<PdfDocument["getPage"]>>;

/** A page as it is read: lines, typed values, whether its letters are unknown, and whether its content breaks off. */
type ReadPage = Page & { typed: Block[]; isGarbled: boolean; isBroken: boolean };

/** Reads the text of a scanned page from its picture; as Markdown, empty if there is none. */
export type Recognize = (picture: Picture) => Promise<string>;

/** The most pages of a file whose pictures are looked at. */
const mostSeen = 200;

/** Opens a PDF file; `offset` of its reader counts pages. Throws UnreadableDocument. */
export async function openPdf(bytes: Uint8Array, recognize?: Recognize): Promise<DocumentReader> {
  // A copy: defusing writes to it, and pdf.js detaches it.
  const copy = bytes.slice();
  const defused = defusePdf(copy);
  const { hasPictures, isOutdated } = defused;
  const strayErrors = catchStrayErrors();
  let pdf: PdfDocument;
  try {
    pdf = await openDefused(copy);
  } catch (error) {
    await strayErrors[Symbol.asyncDispose]();
    throw error;
  }
  const pages = createPages(pdf, defused);
  // It keeps the text of the file in memory.
  const pictureOf = recognize && defused.pictureOf;

  async function recognizePage(number: number, recognize: Recognize): Promise<Block[]> {
    const { ref } = await pdf.getPage(number);
    const picture = pictureOf?.(ref?.num ?? -1, bytes);
    if (picture === undefined) return [];
    const text = await recognize(picture);
    if (text.trim() === "") return [];
    const { blocks } = parseMarkdown(text, { isBeginning: false, fence: undefined });
    // Pages with a heading, which other pages of a PDF have not, stay apart: each is quoted by its own number.
    return blocks.filter((block) => block.text !== "")
      .map((block, i) => ({ ...block, page: number, isRecognized: true, isApart: i === 0 }));
  }

  return {
    async read({ offset, unreadPages = 0, emptyPages = 0, hugePages = 0, garbledPages = 0, brokenPages = 0, ...more }) {
      const number = offset + 1;
      const page = await pages.read(number);
      const unread = unreadPages + (page === undefined ? 1 : 0);
      const huge = hugePages + (pages.isHuge(number) ? 1 : 0);
      // A page that cannot be read is left out among others.
      if (huge > mostHugePages || huge === pdf.numPages) throw unreadable.tooLarge();
      if (unread === pdf.numPages) throw unreadable.damaged();
      const isEmpty = page !== undefined && await pages.isEmpty(number);
      const { seenPages = 0, recognizedPages = 0 } = more;
      const isSeen = isEmpty && recognize !== undefined && seenPages < mostSeen;
      const seen = isSeen ? await recognizePage(number, recognize) : [];
      const recognized = recognizedPages + (seen.length > 0 ? 1 : 0);
      const blocks = page === undefined ? [] : [...await pages.layOut(number), ...seen];
      const empty = emptyPages + (isEmpty && seen.length === 0 ? 1 : 0);
      const garbled = garbledPages + (page?.isGarbled ? 1 : 0);
      const broken = brokenPages + (page?.isBroken ? 1 : 0);
      if (number < pdf.numPages) {
        const counts = {
          unreadPages: unread,
          emptyPages: empty,
          garbledPages: garbled,
          brokenPages: broken,
          ...(seenPages + (isSeen ? 1 : 0) > 0 &&
            { seenPages: seenPages + (isSeen ? 1 : 0), recognizedPages: recognized }),
        };
        return { blocks, next: { offset: number, hugePages: huge, ...counts } };
      }
      if (isOutdated && empty + unread === pdf.numPages) throw unreadable.outdated();
      return {
        blocks,
        next: null,
        losses: lossesOf({ unread, empty, garbled, broken, recognized, total: pdf.numPages }),
        hasPictures,
      };
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

type PageCounts = Record<"unread" | "empty" | "garbled" | "broken" | "recognized" | "total", number>;

function lossesOf({ unread, empty, garbled, broken, recognized, total }: PageCounts): Loss[] {
  const losses: Loss[] = [];
  if (empty > 0) losses.push({ kind: "pages_without_text", count: empty, total });
  if (recognized > 0) losses.push({ kind: "recognized_pages", count: recognized, total });
  if (garbled > 0) losses.push({ kind: "pages_without_letters", count: garbled, total });
  if (broken > 0) losses.push({ kind: "broken_pages", count: broken, total });
  if (unread > 0) losses.push({ kind: "unreadable_pages", count: unread, total });
  return losses;
}

async function openDefused(bytes: Uint8Array): Promise<PdfDocument> {
  const options = {
    // It warns: see countBreaks.
    verbosity: 1,
    disableFontFace: true,
    useSystemFonts: false,
    // Of any place: the maps are not fetched.
    cMapUrl: "maps/",
    cMapPacked: true,
    BinaryDataFactory: CharacterMaps,
  };
  const pdf = await getDocumentProxy(bytes, options).catch((error) => {
    throw error instanceof Error && error.name === "PasswordException" ? unreadable.encrypted() : unreadable.damaged();
  });
  if (pdf.numPages <= maxPages) return pdf;
  await pdf.loadingTask.destroy();
  throw unreadable.tooLarge();
}

/** The pages of a document. Those around the present one are kept: a page is read together with its neighbors. */
function createPages(pdf: PdfDocument, { actualTexts, hasPictures }: ReturnType<typeof defusePdf>) {
  const kept = new Map<number, Promise<ReadPage | undefined>>();
  const laid = new Map<number, Promise<LaidPage>>();
  const huge = new Set<number>();

  async function readAnew(number: number): Promise<ReadPage | undefined> {
    try {
      return await readPage(pdf, number, actualTexts);
    } catch (error) {
      if (error instanceof UnreadableDocument) huge.add(number);
      return undefined;
    }
  }

  /** Undefined if the page is damaged or holds too much, or there is none. */
  function read(number: number): Promise<ReadPage | undefined> {
    if (number < 1 || number > pdf.numPages) return Promise.resolve(undefined);
    const page = kept.get(number) ?? readAnew(number);
    kept.set(number, page);
    for (const other of kept.keys()) if (Math.abs(other - number) > 2 * reach) kept.delete(other);
    return page;
  }

  function layOutAlone(number: number): Promise<LaidPage> {
    const page = laid.get(number) ?? layOutAmongOthers(number);
    laid.set(number, page);
    laid.delete(number - 3);
    return page;
  }

  async function layOutAmongOthers(number: number): Promise<LaidPage> {
    const page = await read(number);
    if (page === undefined) return { blocks: [], isFull: false };
    const around = [];
    for (let other = number - reach; other <= number + reach; other++) {
      const its = other === number ? undefined : await read(other);
      if (its !== undefined && its.lines.length > 0) around.push(its);
    }
    return layOutPage(withoutRunningLines(page, around, { hasPictures }), number);
  }

  /** The blocks of a page. A sentence that goes on belongs to the page where it begins. */
  async function layOut(number: number): Promise<Block[]> {
    const [before, page, after] = [
      await layOutAlone(number - 1),
      await layOutAlone(number),
      await layOutAlone(number + 1),
    ];
    const blocks = [...page.blocks];
    const rest = lengthOfRest(page, after);
    if (rest > 0) {
      const last = blocks.at(-1)!;
      blocks[blocks.length - 1] = { ...last, text: joinPages(last.text, after.blocks[0]!.text.slice(0, rest)) };
    }
    const taken = lengthOfRest(before, page);
    if (taken > 0) blocks[0] = { ...blocks[0]!, text: blocks[0]!.text.slice(taken) };
    return [...blocks, ...(await read(number))?.typed ?? []];
  }

  /** Returns whether a page has no text, or only what runs over all pages, as that of a scan. */
  async function isEmpty(number: number): Promise<boolean> {
    const [{ blocks }, page] = [await layOutAlone(number), await read(number)];
    return blocks.length === 0 && (page?.typed.length ?? 0) === 0;
  }
  return { read, layOut, isEmpty, isHuge: (number: number) => huge.has(number) };
}

async function readPage(
  pdf: PdfDocument,
  number: number,
  actualTexts: Map<number, ActualText[]>,
): Promise<ReadPage> {
  const page = await pdf.getPage(number);
  const breaks = countBreaks();
  try {
    const texts = actualTexts.get(page.ref?.num ?? -1);
    const isMarked = texts?.some((text) => text !== null) ?? false;
    const options = { disableNormalization: true, includeMarkedContent: isMarked };
    const read = await readItems(page.streamTextContent(options));
    const items = writeTexLetters(isMarked ? writeActualTexts(read, texts!) : read as TextItem[]);
    const annotations = await readPageAnnotations(pdf, page);
    const links = annotations.flatMap(({ rect, url }) => url === undefined ? [] : [{ rect, address: url }]);
    const lines = findTables(joinLines(items, links));
    const typed = readAnnotations(annotations, number);
    return { ...createPage(number, lines), typed, isGarbled: isGarbled(items), isBroken: countBreaks() > breaks };
  } finally {
    page.cleanup();
  }
}

/** Returns whether a fifth of the letters are none: replacements, controls or codes of one font alone. */
function isGarbled(items: TextItem[]): boolean {
  let [letters, unknown, within] = [0, 0, 0];
  for (const { str } of items) {
    letters += str.length;
    // deno-lint-ignore no-control-regex
    unknown += str.match(/[\0-\x1f\ufffd\ue000-\uf8ff]/g)?.length ?? 0;
    // deno-lint-ignore no-control-regex
    within += str.match(/\p{L}[\x01-\x08\x0e-\x1f](?=\p{L})/gu)?.length ?? 0;
  }
  return unknown > leastUnknown && unknown * 5 > letters || within > mostWithin;
}

async function readPageAnnotations(pdf: PdfDocument, page: PdfPage): Promise<Annotation[]> {
  const watch = watchClock(maxMillisecondsOfPage);
  try {
    // Those that are damaged do not take their page with them.
    const reading: Promise<Annotation[]> = page.getAnnotations().catch(() => []);
    const annotations = await Promise.race([reading, watch.over]);
    if (annotations !== undefined) return annotations;
    // Nothing else stops it.
    await pdf.loadingTask.destroy();
    throw unreadable.tooLarge();
  } finally {
    watch.stop();
  }
}

type Item = TextItem | Mark;

async function readItems(stream: ReadableStream<{ items: Item[] }>): Promise<Item[]> {
  const items: Item[] = [];
  let characters = 0;
  const reader = stream.getReader();
  const watch = watchClock(maxMillisecondsOfPage);
  try {
    for (;;) {
      const chunk = await Promise.race([reader.read(), watch.over]);
      if (chunk?.done) return items;
      for (const item of chunk?.value.items ?? []) {
        items.push(item);
        characters += "str" in item ? item.str.length : 0;
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
  let at = performance.now();
  const endsAt = at + 3 * milliseconds;
  let left = milliseconds;
  let isStopped = false;
  async function look(): Promise<undefined> {
    while (!isStopped && left > 0 && at < endsAt) {
      await loadingOfMaps();
      const now = performance.now();
      left -= Math.min(now - at, longestStep);
      at = now;
    }
  }
  return { over: look(), stop: () => void (isStopped = true) };
}

/** Of pdf.js, which goes on without the rest of a page, or of a form on it. */
const breakingOff = /^Warning: getTextContent - ignoring errors during /;

let breaks = 0;
const { warn } = console;
// pdf.js has nothing but the console for what it warns of. Its other warnings tell of fonts and pictures, and of no text
// that is lost: in 1,029 documents, of which 478 had any. None is printed, as they may quote the document.
console.warn = (...words: unknown[]) => {
  const text = String(words[0]);
  if (!text.startsWith("Warning: ")) return warn(...words);
  if (breakingOff.test(text)) breaks++;
};

/** The number of times so far that pdf.js, while it warns, has told in this process of content that breaks off. */
function countBreaks(): number {
  return breaks;
}

/** The names of the errors of pdf.js. */
const names = [
  "FormatError",
  "ParserEOFException",
  "UnknownErrorException",
  "XRefEntryException",
  "XRefParseException",
];

/** Keeps a damaged PDF file from ending the process: pdf.js reads ahead, and no other code sees that fail. */
function catchStrayErrors(): AsyncDisposable {
  function prevent(event: PromiseRejectionEvent): void {
    if (event.reason instanceof Error && names.includes(event.reason.name)) event.preventDefault();
  }
  globalThis.addEventListener("unhandledrejection", prevent);
  return {
    async [Symbol.asyncDispose]() {
      // Unhandled rejections are reported with the next turn of the event loop.
      await new Promise((resolve) => setTimeout(resolve));
      globalThis.removeEventListener("unhandledrejection", prevent);
    },
  };
}
