import { Parser } from "htmlparser2";
import { type Block, type DocumentReader, unreadable } from "./document_reader.ts";
import { decodeHtml } from "./docx/read_mht.ts";
import { createPartsReader } from "./parts_reader.ts";
import { raiseText, writeLink } from "./write_marks.ts";

/** The parser takes longer for each element, the more are around it. */
const maxDepth = 500;
/** A file is read at once, without a tree. */
const longestFile = 6_000_000;
/** Their content is not the document's word. */
const skipped = new Set("script style title template del s strike".split(" "));
const blockNames = new Set(
  "p div section article main aside header footer nav address blockquote pre figure figcaption form dl dt dd hr".split(
    " ",
  ),
);

/**
 * The text of an HTML document as paragraphs and headings; a list or a table is one paragraph of many lines. Throws
 * UnreadableDocument where elements are nested too deep.
 *
 * @param options.isXhtml an element may end where it begins
 */
export function readHtml(html: string, { isXhtml = false }: { isXhtml?: boolean } = {}): Block[] {
  const blocks: Block[] = [];
  // Kept in pieces: to look at the end of a growing text, the runtime would copy all of it each time.
  let pieces: string[] = [];
  /** The outermost link that is open, and how many are. */
  let link = { start: 0, address: "" };
  let links = 0;
  let depth = 0;
  let containers = 0;
  /** The next number of each list that is open; null in lists without numbers. */
  const numbers: (number | null)[] = [];
  let skipping = 0;
  let preformatted = 0;
  let position: "raised" | "lowered" | undefined;

  function endBlock(level: number | null = null, isTable = false): void {
    const text = pieces.join("").trim();
    const header = isTable ? /^.*/.exec(text)![0] : "";
    if (text !== "") blocks.push({ text, page: null, level, ...(header.includes(" | ") && { header }) });
    pieces = [];
  }

  function add(text: string): void {
    if (text !== "" && skipping === 0) pieces.push(text);
  }

  /** The mark of the next item, which may bring its own number. */
  function markItem(own: string | undefined): string {
    const next = numbers.at(-1) ?? null;
    if (next === null) return "-";
    const number = readInteger(own) ?? next;
    numbers[numbers.length - 1] = number + 1;
    return `${number}.`;
  }

  function isAtLineStart(): boolean {
    return pieces.length === 0 || pieces.at(-1)!.endsWith("\n");
  }

  const parser = new Parser({
    onopentag(name, { href, alt, start, value }) {
      if (++depth > maxDepth) throw unreadable.tooLarge();
      if (skipped.has(name)) skipping++;
      if (name === "pre") preformatted++;
      if (isContainer(name) && containers++ === 0) endBlock();
      if (containers === 0 && isBlock(name)) endBlock();
      if (isList(name)) numbers.push(name === "ol" ? readInteger(start) ?? 1 : null);
      if (name === "li") add(`\n${markItem(value)} `);
      if ((name === "td" || name === "th") && !isAtLineStart()) add(" | ");
      if (blockNames.has(name) && containers > 0 && !isAtLineStart()) add(" ");
      if (name === "br") add("\n");
      if (name === "img" && alt) add(`[${alt}]`);
      if (name === "a" && links++ === 0) link = { start: pieces.length, address: href ?? "" };
      if (name === "sup" || name === "sub") position = name === "sup" ? "raised" : "lowered";
    },
    ontext(data) {
      const text = preformatted > 0 ? data : data.replace(/\s+/g, " ");
      add(position === undefined ? text : raiseText(text, position));
    },
    onclosetag(name) {
      depth--;
      if (skipped.has(name)) skipping--;
      if (name === "pre") preformatted--;
      if (name === "sup" || name === "sub") position = undefined;
      if (name === "a" && --links === 0) {
        const words = pieces.splice(link.start).join("");
        add(words.trim() === "" ? words : writeLink(words, link.address));
      }
      if (name === "tr") add("\n");
      if (isList(name)) numbers.pop();
      if (isContainer(name)) containers--;
      if (containers === 0 && (isContainer(name) || isBlock(name))) endBlock(headingLevel(name), name === "table");
    },
  }, { recognizeSelfClosing: isXhtml });
  parser.end(html);
  endBlock();
  return blocks;
}

/** Opens an HTML file, which is read as it stands. Throws UnreadableDocument. */
export function openHtml(bytes: Uint8Array): DocumentReader {
  const html = decodeHtml(bytes);
  if (html.length > longestFile) throw unreadable.tooLarge();
  return createPartsReader({ count: 1, readPart: () => readHtml(html), hasPictures: true });
}

function isList(name: string): boolean {
  return name === "ul" || name === "ol";
}

function isContainer(name: string): boolean {
  return isList(name) || name === "table";
}

/** A number that an attribute holds, of a size that people count to. */
function readInteger(value: string | undefined): number | undefined {
  return /^\s*-?\d{1,9}\s*$/.test(value ?? "") ? Number(value) : undefined;
}

function isBlock(name: string): boolean {
  return blockNames.has(name) || headingLevel(name) !== null;
}

function headingLevel(name: string): number | null {
  return /^h[1-6]$/.test(name) ? Number(name[1]) : null;
}
