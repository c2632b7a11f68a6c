import type { Block } from "../document_reader.ts";
import { raiseText, writeLink } from "../write_marks.ts";
import { codePoint } from "./dingbats.ts";
import { createEquationWriter } from "./equation.ts";
import { type BodyBlock, joinItems } from "./join_items.ts";
import type { Counters, NextNumber } from "./numbering.ts";
import { type Attributes, isOn, readXml } from "./read_xml.ts";
import { changeLook, type Look, type Style } from "./styles.ts";
import { createTables } from "./tables.ts";

/** The things that a part of a document refers to. */
export type BodyContext = {
  styleOf(id: string | undefined): Style;
  nextNumber: NextNumber;
  counters: Counters;
  addressOf(id: string): string | undefined;
  /** The text of a note, a chart, a diagram or another document in this one. */
  readNote(kind: "footnote" | "endnote", id: string): string;
  readChart(id: string): Block[];
  readDiagram(id: string): Block[];
  readOther(id: string): Block[];
  /** Tells that something is left out: a thing of another program, or a field that nobody has filled in. */
  lose(kind: "objects" | "fields"): void;
  /** The first row of the table that the text begins in, if it does. */
  header?: string;
};

type Paragraph = {
  pieces: string[];
  styleId?: string;
  level?: number;
  numberingId?: string;
  numberingLevel?: number;
  /** Its end is deleted: the next one continues it. */
  goesOn?: boolean;
  /** Things that stand in it, but are no part of its text: text boxes, notes, charts. */
  after: Block[];
};
type Field = { instruction: string; isResult: boolean; start: number; paragraph: Paragraph | undefined };

/** Their content is not the document's word: deleted, moved away, properties, and what stands here a second time. */
const skipped = new Set([
  ...["del", "moveFrom", "Fallback", "instrText", "delText", "delInstrText", "sectPr", "tblGrid"],
  ...["pPrChange", "rPrChange", "tblPrChange", "trPrChange", "tcPrChange"],
]);
/** Fields whose result is true for a printed page. */
const pageNumber = /^\s*(?:PAGE|NUMPAGES|SECTIONPAGES)\b/;
const spaces: Record<string, string> = { tab: " ", ptab: " ", br: "\n", cr: "\n", noBreakHyphen: "-" };

/** Reads the body of a document, or another part with paragraphs. Lists and tables are one block of many lines each. */
export function readBody(xml: string, context: BodyContext): Block[] {
  const blocks: BodyBlock[] = [];
  const paragraphs: Paragraph[] = [];
  const tables = createTables();
  const fields: Field[] = [];
  /** The places at which the words of each open link begin. */
  const links: { start: number; address: string | undefined }[] = [];
  const equation = createEquationWriter();
  /** For each open control or simple field, true if it is left out: a placeholder, the number of a page. */
  const omissions: boolean[] = [];
  let skipping = 0;
  let math = 0;
  let isText = false;
  let isPlaceholder = false;
  let inRunProperties = false;
  let inParagraphProperties = false;
  let inMarkProperties = false;
  let inRowProperties = false;
  let look: Look = {};
  let font: string | undefined;
  /** The pieces of a reading above characters, until they are written. */
  let reading: string[] | undefined;
  let readingBehind = "";
  let isChecked: boolean | undefined;
  let choices: { chosen: number; entries: string[] } | undefined;
  let carried: string[] = [];

  function add(text: string): void {
    const isInstruction = fields.some(({ isResult }) => !isResult);
    if (text === "" || skipping > 0 || isInstruction || look.isStruck || look.isHidden) return;
    const shown = look.position === undefined ? text : raiseText(text, look.position);
    (reading ?? paragraphs.at(-1)?.pieces)?.push(shown);
  }

  function place(block: BodyBlock): void {
    const paragraph = paragraphs.at(-1);
    if (paragraph !== undefined) paragraph.after.push(block);
    else if (!tables.put(block.text)) blocks.push(block);
  }

  function endParagraph(): void {
    const { pieces, styleId, after, goesOn, ...own } = paragraphs.pop()!;
    // A field that does not come to its result here has none.
    for (let i = fields.length - 1; i >= 0; i--) if (!fields[i]!.isResult) fields.splice(i, 1);
    if (goesOn) return void (carried = pieces);
    const { level = null, numberingId, numberingLevel = 0 } = { ...context.styleOf(styleId), ...own };
    const text = pieces.join("").trim();
    const isItem = numberingId !== undefined && numberingId !== "0";
    // An empty paragraph has no number.
    const number = isItem && text !== ""
      ? context.nextNumber({ id: numberingId, level: numberingLevel }, context.counters)
      : "";
    const isHeading = level !== null && tables.depth === 0;
    const mark = isHeading ? number.replace(/^- /, "") : number;
    place({ text: mark + text, page: null, level: isHeading ? level : null, isItem: isItem && !isHeading });
    after.forEach(place);
  }

  function endTable(): void {
    const table = tables.close();
    if (table === null || tables.put(table.text)) return;
    blocks.push(table);
  }

  function changeField(type: string | undefined): void {
    const field = fields.at(-1);
    const paragraph = paragraphs.at(-1);
    if (type === "begin") fields.push({ instruction: "", isResult: false, start: 0, paragraph });
    if (type === "separate" && field !== undefined) {
      [field.isResult, field.start, field.paragraph] = [true, paragraph?.pieces.length ?? 0, paragraph];
    }
    if (type !== "end" || field === undefined) return;
    fields.pop();
    if (pageNumber.test(field.instruction) && field.paragraph === paragraph) paragraph?.pieces.splice(field.start);
    if (field.isResult && field.paragraph === paragraph) addAddress(field.start, addressIn(field.instruction));
  }

  function addAddress(start: number, address: string | undefined): void {
    const pieces = paragraphs.at(-1)?.pieces;
    if (pieces === undefined || address === undefined) return;
    const words = pieces.splice(start).join("");
    if (words !== "") pieces.push(writeLink(words.trimEnd(), address), words.slice(words.trimEnd().length));
  }

  function addressOf({ id = "", anchor = "" }: Attributes): string | undefined {
    const address = context.addressOf(id);
    return address === undefined || anchor === "" ? address : `${address}#${anchor}`;
  }

  /** Notes are numbered as they are met: their ids are any. */
  function addNote(kind: "footnote" | "endnote", id: string): void {
    const text = context.readNote(kind, id);
    if (text === "" || skipping > 0) return;
    const [last] = context.counters.notes ?? [0];
    context.counters.notes = [(last ?? 0) + 1];
    const mark = raiseText(String(context.counters.notes[0]), "raised");
    add(mark);
    paragraphs.at(-1)?.after.push({ text: `${mark} ${text}`, page: null, level: null });
  }

  function openProperty(name: string, attributes: Attributes): void {
    const paragraph = paragraphs.at(-1);
    const { val = "" } = attributes;
    if (inRunProperties) {
      changeLook(look, name, attributes);
      if (name === "rStyle") look = { ...look, ...lookOf(context.styleOf(val)) };
      if (name === "rFonts") font = attributes.ascii ?? attributes.hAnsi;
    } else if (paragraph !== undefined) {
      if (name === "pStyle") {
        paragraph.styleId = val;
        look = lookOf(context.styleOf(val));
      } else if (name === "numId") paragraph.numberingId = val;
      else if (name === "ilvl") paragraph.numberingLevel = Number(val);
      else if (name === "outlineLvl" && Number(val) < 9) paragraph.level = Number(val) + 1;
      // A large letter at the beginning of the next paragraph.
      else if (name === "framePr" && attributes.dropCap !== undefined) {
        paragraph.goesOn = isOn({ val: attributes.dropCap });
      }
    }
  }

  /** Notes what is left out even where it stands in something left out, so that each end has its beginning. */
  function omit(name: string, { instr = "" }: Attributes): void {
    if (name === "del" && inMarkProperties) paragraphs.at(-1)!.goesOn = true;
    if (name === "del" && inRowProperties) tables.dropRow();
    if (name === "sdtContent" && isPlaceholder && skipping === 0) context.lose("fields");
    const isOmitted = name === "sdtContent" ? isPlaceholder : name === "fldSimple" && pageNumber.test(instr);
    if (name === "sdtContent" || name === "fldSimple") omissions.push(isOmitted);
    if (name === "sdt" || name === "sdtContent") isPlaceholder = false;
    if (isOmitted || skipped.has(name)) skipping++;
  }

  function open(name: string, attributes: Attributes): void {
    const paragraph = paragraphs.at(-1);
    isText = name === "t" || name === "instrText";
    omit(name, attributes);
    if (skipping > 0 || inMarkProperties) return;
    if (name === "oMath") math++;
    if (math > 0) equation.open(name, attributes.val);
    if (name in spaces) return inParagraphProperties ? undefined : add(spaces[name]!);
    if (inRunProperties || inParagraphProperties && name !== "rPr") return openProperty(name, attributes);
    switch (name) {
      case "p":
        paragraphs.push({ pieces: carried, after: [] });
        [carried, look] = [[], {}];
        break;
      case "pPr":
        inParagraphProperties = true;
        break;
      case "rPr":
        // Those of a paragraph are about its mark.
        if (inParagraphProperties) inMarkProperties = true;
        else inRunProperties = true;
        break;
      case "r":
        look = lookOf(context.styleOf(paragraph?.styleId));
        font = undefined;
        break;
      case "tbl":
        tables.open(context.header);
        context.header = undefined;
        break;
      case "tr":
        tables.openRow();
        break;
      case "trPr":
        inRowProperties = true;
        break;
      case "tc":
        tables.openCell();
        break;
      case "showingPlcHdr":
        isPlaceholder = isOn(attributes);
        break;
      case "hyperlink":
        links.push({ start: paragraph?.pieces.length ?? 0, address: addressOf(attributes) });
        break;
      case "fldSimple":
        links.push({ start: paragraph?.pieces.length ?? 0, address: addressIn(attributes.instr ?? "") });
        break;
      case "fldChar":
        changeField(attributes.fldCharType);
        break;
      case "checkBox":
        isChecked = false;
        break;
      case "checked":
      case "default":
        if (isChecked !== undefined) isChecked = isOn(attributes);
        break;
      case "ddList":
        choices = { chosen: 0, entries: [] };
        break;
      case "result":
        if (choices !== undefined) choices.chosen = Number(attributes.val);
        break;
      case "listEntry":
        choices?.entries.push(attributes.val ?? "");
        break;
      case "sym":
        add(readSymbol(attributes.font, parseInt(attributes.char ?? "", 16) || 0));
        break;
      case "rt":
        reading = [];
        break;
      case "docPr":
        add(attributes.descr ? `[${attributes.descr}]` : "");
        break;
      case "shape":
        add(attributes.alt ? `[${attributes.alt}]` : "");
        break;
      case "footnoteReference":
      case "endnoteReference":
        addNote(name.slice(0, -9) as "footnote" | "endnote", attributes.id ?? "");
        break;
      case "chart":
        if (attributes.id !== undefined) paragraph?.after.push(...context.readChart(attributes.id));
        break;
      case "relIds":
        if (attributes.dm !== undefined) paragraph?.after.push(...context.readDiagram(attributes.dm));
        break;
      case "altChunk":
        context.readOther(attributes.id ?? "").forEach(place);
        break;
      case "OLEObject":
        context.lose("objects");
    }
  }

  function close(name: string): void {
    const wasSkipping = skipping > 0;
    const isOmitted = (name === "sdtContent" || name === "fldSimple") && omissions.pop();
    if (isOmitted || skipped.has(name)) skipping--;
    isText = false;
    if (wasSkipping) return;
    if (inMarkProperties) return void (inMarkProperties = name !== "rPr");
    if (math > 0) equation.close(name);
    switch (name) {
      case "rPr":
        inRunProperties = false;
        break;
      case "pPr":
        inParagraphProperties = false;
        break;
      case "trPr":
        inRowProperties = false;
        break;
      case "oMath":
        if (--math === 0) add(equation.take());
        break;
      case "checkBox":
        // It stands in the instruction of its field.
        paragraphs.at(-1)?.pieces.push(isChecked ? "☒" : "☐");
        isChecked = undefined;
        break;
      case "ddList":
        paragraphs.at(-1)?.pieces.push(choices?.entries[choices.chosen] ?? "");
        choices = undefined;
        break;
      case "hyperlink":
      case "fldSimple": {
        const link = links.pop();
        if (link !== undefined) addAddress(link.start, link.address);
        break;
      }
      case "rt":
        [readingBehind, reading] = [reading?.join("") ?? "", undefined];
        break;
      case "ruby":
        add(readingBehind === "" ? "" : `(${readingBehind})`);
        readingBehind = "";
        break;
      case "p":
        if (paragraphs.length > 0) endParagraph();
        break;
      case "tr":
        tables.closeRow();
        break;
      case "tbl":
        endTable();
    }
  }

  readXml(xml, {
    open,
    close,
    text(text) {
      const field = fields.at(-1);
      if (isText && skipping > 0 && field !== undefined && !field.isResult) field.instruction += text;
      else if (isText && math > 0 && skipping === 0) equation.text(text);
      else if (isText) add(readSymbols(text, font));
    },
  });
  if (carried.length > 0) blocks.push({ text: carried.join("").trim(), page: null, level: null });
  return joinItems(blocks);
}

function addressIn(instruction: string): string | undefined {
  const [, quoted, plain] = /^\s*HYPERLINK\s+(?:"([^"]+)"|([^\s"\\]+))/.exec(instruction) ?? [];
  return quoted ?? plain;
}

/** The look of text that a style asks for, without the properties that it does not name. */
function lookOf({ isStruck, isHidden, position }: Look): Look {
  return {
    ...(isStruck === undefined ? {} : { isStruck }),
    ...(isHidden === undefined ? {} : { isHidden }),
    ...(position === undefined ? {} : { position }),
  };
}

/** The character of a font of symbols, whose codes mean something only in that font. */
function readSymbol(font: string | undefined, code: number): string {
  // Word moves the codes of such fonts to U+F000.
  const symbol = codePoint(font ?? "Symbol", code & 0xff)?.string;
  return symbol ?? (code >= 0xe000 && code <= 0xf8ff ? "" : String.fromCharCode(code));
}

/** A text with such codes in it. */
function readSymbols(text: string, font: string | undefined): string {
  return text.replace(/[\uF000-\uF0FF]/g, (symbol) => readSymbol(font, symbol.charCodeAt(0)));
}
