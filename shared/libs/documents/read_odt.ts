import { type Block, type DocumentReader, type Loss, unreadable } from "./document_reader.ts";
import { type OdtStyles, readOdtStyles } from "./odt_styles.ts";
import { openPackage } from "./open_package.ts";
import { createPartsReader } from "./parts_reader.ts";
import { joinMargins } from "./docx/create_context.ts";
import { type BodyBlock, joinItems } from "./docx/join_items.ts";
import { formatNumber } from "./docx/numbering.ts";
import { type Attributes, decodeEntities, readXml } from "./docx/read_xml.ts";
import type { Look } from "./docx/styles.ts";
import { createTables } from "./docx/tables.ts";
import { raiseText, writeLink } from "./write_marks.ts";

/** Opens an ODT file, whose text is read as a whole. Throws UnreadableDocument. */
export function openOdt(bytes: Uint8Array): DocumentReader {
  const parts = openPackage(bytes, {
    isWanted: (name) => /^(?:content|styles|META-INF\/manifest)\.xml$|^Object[^/]*\/content\.xml$/i.test(name),
  });
  if (/<(?:\w+:)?encryption-data[\s>]/.test(parts.text("META-INF/manifest.xml"))) throw unreadable.encrypted();
  const xml = parts.xml("content.xml");
  if (xml === "") throw unreadable.damaged();
  const around = parts.xml("styles.xml");
  const styles = readOdtStyles([around, xml]);
  return createPartsReader({
    count: 1,
    hasPictures: /<draw:image[\s>]/.test(xml),
    readPart: (_, lost) => {
      const context: OdtContext = {
        styles,
        readObject: (name) => parts.xml(`${name}/content.xml`),
        lose: (kind) => void (lost[kind] = (lost[kind] ?? 0) + 1),
      };
      // Of the styles, only headers and footers hold paragraphs.
      return [...joinMargins(readOdtBody(around, context)), ...readOdtBody(xml, context)];
    },
  });
}

/** The things that a text refers to. */
type OdtContext = {
  styles: OdtStyles;
  /** The content of an object in the document; empty where there is none. */
  readObject(name: string): string;
  lose(kind: Loss["kind"]): void;
};

type Paragraph = {
  pieces: string[];
  level: number | null;
  look: Look;
  isItem: boolean;
  mark: string;
  after: BodyBlock[];
};
type List = { style: string | undefined; counts: number[] };

/** Their content is not the document's word: deleted, a remark, a list of the headings, the number of a page. */
const skipped = new Set([
  ...["tracked-changes", "annotation", "forms", "scripts", "note-citation", "page-number", "page-count"],
  ...["table-of-content", "table-index", "illustration-index", "object-index", "alphabetical-index"],
  ...["sequence-decls", "variable-decls", "user-field-decls", "automatic-styles", "font-face-decls", "styles"],
]);
/** Elements in which `title` is a text, and no name of a picture. */
const texts = new Set(["p", "h", "span", "a"]);
/** The formats of numbers that differ in name from Word's. */
const formats: Record<string, string> = { a: "lowerLetter", A: "upperLetter", i: "lowerRoman", I: "upperRoman" };
const mostRepeated = 50;

/** Reads the paragraphs of a part, which `checkXml` has accepted. */
function readOdtBody(xml: string, { styles, readObject, lose }: OdtContext): Block[] {
  const blocks: BodyBlock[] = [];
  const paragraphs: Paragraph[] = [];
  const tables = createTables();
  const elements: string[] = [];
  const looks: Look[] = [];
  const links: { start: number; address: string }[] = [];
  /** The texts of notes that are open, and the number of those before. */
  const notes: string[][] = [];
  let noteCount = 0;
  const lists: List[] = [];
  const ended = new Map<string, number[]>();
  let mark: string | undefined;
  /** The depth of the element that is left out, with all in it. */
  let skippedAt: number | undefined;
  let reading: string[] | undefined;

  function add(text: string): void {
    const paragraph = paragraphs.at(-1);
    const { isHidden, isStruck, position } = looks.at(-1) ?? paragraph?.look ?? {};
    if (text === "" || skippedAt !== undefined || isHidden || isStruck) return;
    (reading ?? paragraph?.pieces)?.push(position === undefined ? text : raiseText(text, position));
  }
  function place(block: BodyBlock): void {
    const note = notes.at(-1);
    const paragraph = paragraphs.at(-1);
    if (note !== undefined && paragraph?.pieces !== undefined && isInNote()) note.push(block.text);
    else if (paragraph !== undefined) paragraph.after.push(block);
    else if (!tables.put(block.text)) blocks.push(block);
  }
  /** Paragraphs of a note are within that which refers to it. */
  function isInNote(): boolean {
    return elements.lastIndexOf("note") > elements.lastIndexOf("text-box");
  }

  function openParagraph(name: string, attributes: Attributes): void {
    const style = attributes["style-name"];
    const level = name === "h" ? Number(attributes["outline-level"]) || 1 : styles.levelOf(style);
    const isHeading = level !== undefined && (name === "h" || level === 0) && tables.depth === 0;
    const isItem = lists.length > 0 && !isHeading;
    paragraphs.push({
      pieces: [],
      level: isHeading ? level : null,
      look: styles.lookOf(style),
      isItem,
      mark: isItem ? mark ?? "" : "",
      after: [],
    });
    if (isItem) mark = undefined;
  }
  function closeParagraph(): void {
    const { pieces, level, isItem, mark, after } = paragraphs.pop()!;
    const text = pieces.join("").replace(/ {2,}/g, " ").trim();
    if (text !== "") place({ text: mark + text, page: null, level, isItem });
    after.forEach(place);
  }

  function openList(attributes: Attributes): void {
    const style = attributes["style-name"] ?? lists.at(-1)?.style;
    const goesOn = attributes["continue-numbering"] === "true" || attributes["continue-list"] !== undefined;
    const counts = lists.at(-1)?.counts ?? (goesOn ? ended.get(style ?? "") : undefined) ?? [];
    lists.push({ style, counts });
  }
  function openItem(attributes: Attributes): void {
    const { style, counts } = lists.at(-1) ?? { style: undefined, counts: [] };
    const level = lists.length;
    const numbering = styles.numberingOf(style, level);
    const start = Number(attributes["start-value"]) || undefined;
    counts[level - 1] = start ?? (counts[level - 1] === undefined ? numbering?.start ?? 1 : counts[level - 1]! + 1);
    counts.length = level;
    if (numbering === undefined || numbering.format === "") return void (mark = "- ");
    const first = Math.max(0, level - numbering.shown);
    const numbers = counts.slice(first, level).map((count, i) => {
      const { format } = styles.numberingOf(style, first + i + 1) ?? numbering;
      return formatNumber(count ?? 1, formats[format] ?? "decimal");
    });
    mark = `${`${numbering.prefix}${numbers.join(".")}${numbering.suffix}`.trim()} `;
  }

  /** A formula, a chart, or a thing of another program. */
  function openObject(href: string): void {
    const name = href.replace(/^\.\//, "");
    const content = /^Object[^/]*$/.test(name) ? readObject(name) : "";
    const formula = /<(?:\w+:)?annotation\s[^<>]*>([^<]*)</.exec(content)?.[1];
    if (formula !== undefined) add(decodeEntities(formula));
    else if (content.includes(":chart")) addChart(content);
    else lose("objects");
  }
  function addChart(content: string): void {
    const table = readTable(content, styles);
    if (table === undefined) lose("charts");
    else paragraphs.at(-1)?.after.push(table);
  }

  function open(name: string, attributes: Attributes): void {
    const parent = elements.at(-1) ?? "";
    elements.push(name);
    if (skippedAt !== undefined) return;
    const isHiddenSection = name === "section" && attributes.display === "none";
    const isName = name === "title" && !texts.has(parent);
    if (skipped.has(name) || isHiddenSection || isName || attributes["is-hidden"] === "true") {
      skippedAt = elements.length - 1;
      return;
    }
    switch (name) {
      case "p":
      case "h":
        if (parent === "desc") break;
        openParagraph(name, attributes);
        break;
      case "span":
        looks.push({ ...looks.at(-1) ?? paragraphs.at(-1)?.look, ...styles.lookOf(attributes["style-name"]) });
        break;
      case "a":
        links.push({ start: paragraphs.at(-1)?.pieces.length ?? 0, address: attributes.href ?? "" });
        break;
      case "s":
      case "tab":
        add(" ");
        break;
      case "line-break":
        add("\n");
        break;
      case "desc":
        add("[");
        break;
      case "note": {
        const shown = raiseText(String(++noteCount), "raised");
        add(shown);
        notes.push([shown]);
        looks.push({});
        break;
      }
      case "list":
        openList(attributes);
        break;
      case "list-item":
        openItem(attributes);
        break;
      case "table":
        tables.open(undefined);
        break;
      case "table-row":
        tables.openRow();
        break;
      case "table-cell":
      case "covered-table-cell": {
        const count = Math.min(Number(attributes["number-columns-repeated"]) || 1, mostRepeated);
        for (let i = 0; i < count; i++) tables.openCell();
        break;
      }
      case "ruby-text":
        reading = [];
        break;
      case "object":
        openObject(attributes.href ?? "");
        break;
      case "object-ole":
        lose("objects");
    }
  }

  function close(name: string): void {
    elements.pop();
    if (skippedAt !== undefined) {
      if (elements.length === skippedAt) skippedAt = undefined;
      return;
    }
    switch (name) {
      case "p":
      case "h":
        if (elements.at(-1) !== "desc") closeParagraph();
        break;
      case "span":
        looks.pop();
        break;
      case "a": {
        const { start, address } = links.pop()!;
        const words = paragraphs.at(-1)?.pieces.splice(start).join("") ?? "";
        add(words.trim() === "" ? words : writeLink(words, address));
        break;
      }
      case "desc":
        add("]");
        break;
      case "note": {
        looks.pop();
        const text = notes.pop()!.join(" ");
        paragraphs.at(-1)?.after.push({ text, page: null, level: null });
        break;
      }
      case "list": {
        const { style, counts } = lists.pop()!;
        if (lists.length === 0) ended.set(style ?? "", counts);
        break;
      }
      case "list-item":
        mark = undefined;
        break;
      case "table-row":
        tables.closeRow();
        break;
      case "table": {
        const table = tables.close();
        if (table !== null) place(table);
        break;
      }
      case "ruby-text": {
        const text = reading?.join("") ?? "";
        reading = undefined;
        add(text === "" ? "" : `(${text})`);
      }
    }
  }

  readXml(xml, {
    open,
    close,
    text: (text) => paragraphs.length > 0 || elements.at(-1) === "desc" ? add(text.replace(/\s+/g, " ")) : undefined,
  });
  return joinItems(blocks);
}

/** The numbers of a chart, which stand in a table of its own. */
function readTable(xml: string, styles: OdtStyles): Block | undefined {
  const start = xml.search(/<table:table[\s>]/);
  const end = xml.lastIndexOf("</table:table>");
  if (start === -1 || end < start) return undefined;
  return readOdtBody(xml.slice(start, end + 14), { styles, readObject: () => "", lose: () => {} })[0];
}
