import { type Block, type DocumentReader, type Loss, unreadable } from "./document_reader.ts";
import { formatNumber } from "./docx/numbering.ts";
import { readChart, readDiagram } from "./docx/part_texts.ts";
import { openMainPart, type Relationship, relationshipsOf } from "./docx/relationships.ts";
import { openPackage, type Package } from "./open_package.ts";
import { createPartsReader, lossesOf } from "./parts_reader.ts";
import { createEquationWriter } from "./docx/equation.ts";
import { type Attributes, readXml } from "./docx/read_xml.ts";
import { createTables } from "./docx/tables.ts";
import { raiseText, writeLink } from "./write_marks.ts";

const maxSlides = 5_000;
const longestTitle = 100;
const unread =
  /(?:^|\/)(?:media|embeddings|theme|slideMasters|slideLayouts|notesMasters|handoutMasters|comments|customXml|docProps|printerSettings|tags)\//i;

/** Opens a PPTX file; `part` of its position counts the slides that are shown. Throws UnreadableDocument. */
export function openPptx(bytes: Uint8Array): DocumentReader {
  const parts = openPackage(bytes, { isWanted: (name) => /\.(?:xml|rels)$/i.test(name) && !unread.test(name) });
  const slides = listSlides(parts);
  return createPartsReader({
    count: slides.length,
    readPart(index, lost) {
      parts.nextStep();
      return readPart(parts, { name: slides[index]!, page: index + 1 }, lost);
    },
    describe: (lost) => describe(lost, slides.length),
    hasPictures: true,
  });
}

function listSlides(parts: Package): string[] {
  const { xml, related } = openMainPart(parts, "ppt/presentation.xml");
  const slides: string[] = [];
  for (const [, attributes] of xml.matchAll(/<(?:\w+:)?sldId\s([^<>]*)>/g)) {
    // Its own id has no prefix.
    const id = /\s\w+:id="([^"]*)"/.exec(` ${attributes}`)?.[1] ?? "";
    const { target = "" } = related.get(id) ?? {};
    if (parts.bytes(target) !== undefined && !slides.includes(target)) slides.push(target);
    if (slides.length > maxSlides) throw unreadable.tooLarge();
  }
  return slides;
}

function readPart(parts: Package, { name, page }: { name: string; page: number }, lost: Record<string, number>) {
  const xml = parts.xml(name);
  if (/^[^<]*(?:<\?[^>]*>\s*)?<(?:\w+:)?sld(?=\s)[^<>]*\sshow="(?:0|false)"/.test(xml)) {
    lost.hidden_slides = 1;
    return [];
  }
  const related = relationshipsOf(parts, name);
  const lose = (kind: Loss["kind"]) => void (lost[kind] = (lost[kind] ?? 0) + 1);
  const { title, blocks } = readSlide(xml, contextOf(parts, related, lose));
  const notes = [...related.values()].find(({ kind }) => kind === "notesSlide")?.target ?? "";
  const ofNotes = contextOf(parts, relationshipsOf(parts, notes), lose);
  const said = readSlide(parts.xml(notes), { ...ofNotes, isNotes: true }).blocks;
  if (title === "" && blocks.length === 0) lost.slides_without_text = 1;
  if (title === "" && blocks.length === 0 && said.length === 0) return [];
  return [nameSlide(title, { blocks, page }), ...blocks, ...said].map((block) => ({ ...block, page }));
}

/** The heading of a slide: so that none has that of another. */
function nameSlide(title: string, { blocks, page }: { blocks: Block[]; page: number }): Block {
  const [first] = blocks[0]?.text.split("\n") ?? [];
  const isTitle = title === "" && first !== undefined && first === blocks[0]!.text && first.length <= longestTitle;
  if (isTitle && blocks.length > 1) blocks.shift();
  return { text: title || (isTitle ? first : `Slide ${page}`), page, level: 1, isApart: true };
}

function contextOf(parts: Package, related: Map<string, Relationship>, lose: (kind: Loss["kind"]) => void) {
  const readOther = (id: string, kind: Loss["kind"], read: (xml: string) => string) => {
    const text = read(parts.xml(related.get(id)?.target ?? ""));
    if (text === "") lose(kind);
    return text;
  };
  return {
    addressOf: (id: string) => related.get(id)?.isExternal ? related.get(id)!.target : undefined,
    readChart: (id: string) => readOther(id, "charts", readChart),
    readDiagram: (id: string) => readOther(id, "diagrams", readDiagram),
    lose,
  };
}

function describe({ hidden_slides = 0, slides_without_text = 0, ...lost }: Record<string, number>, total: number) {
  return [
    ...(slides_without_text > 0
      ? [{ kind: "slides_without_text" as const, count: slides_without_text, total: total - hidden_slides }]
      : []),
    ...(hidden_slides > 0 ? [{ kind: "hidden_slides" as const, count: hidden_slides }] : []),
    ...lossesOf(lost),
  ];
}

/** The things that a slide refers to. */
type SlideContext = {
  addressOf(id: string): string | undefined;
  readChart(id: string): string;
  readDiagram(id: string): string;
  lose(kind: Loss["kind"]): void;
  /** It is what the speaker says, where only the text itself counts. */
  isNotes?: boolean;
};

/** Places whose text is the same on every slide. */
const surroundings = new Set(["sldNum", "ftr", "dt", "hdr", "sldImg"]);
const titles = new Set(["title", "ctrTitle"]);

const deepestLevel = 8;
const numberFormats: Record<string, string> = {
  alphaLc: "lowerLetter",
  alphaUc: "upperLetter",
  romanLc: "lowerRoman",
  romanUc: "upperRoman",
};

/** The number of a paragraph; `type` is a name of DrawingML, such as `alphaLcParenR` for "a)". */
function writeMark(number: number, type: string): string {
  const written = formatNumber(number, numberFormats[/^[a-z]+[LU]c/.exec(type)?.[0] ?? ""] ?? "");
  if (type.endsWith("ParenBoth")) return `(${written}) `;
  return type.endsWith("ParenR") ? `${written}) ` : `${written}. `;
}

/** The title of a slide, and its other texts: a block for each text box, table, chart and diagram. */
function readSlide(xml: string, context: SlideContext): { title: string; blocks: Block[] } {
  const blocks: Block[] = [];
  const tables = createTables();
  const equation = createEquationWriter();
  let title = "";
  let place: string | undefined;
  let isHidden = false;
  /** The paragraphs of a text box. */
  let lines: string[] = [];
  let pieces: string[] | undefined;
  /** The paragraph's level, and how it is numbered. */
  let level = 0;
  let numbering: Attributes | undefined;
  /** The last number of each level in this text. */
  let counts: { type: string; number: number }[] = [];
  let isText = false;
  let isNumber = false;
  let skipping = 0;
  let math = 0;
  let run: { start: number; address?: string; isStruck?: boolean; position?: "raised" | "lowered" } = { start: 0 };

  function add(text: string): void {
    if (skipping > 0 || run.isStruck || isNumber) return;
    pieces?.push(run.position === undefined ? text : raiseText(text, run.position));
  }
  function addBlock(text: string): void {
    if (text.trim() !== "" && !isHidden) blocks.push({ text, page: null, level: null });
  }
  function openRun({ strike = "noStrike", baseline = "0" }: Attributes): void {
    const shift = parseInt(baseline) || 0;
    run = {
      ...run,
      isStruck: strike !== "noStrike",
      position: shift === 0 ? undefined : shift > 0 ? "raised" : "lowered",
    };
  }
  function closeRun(): void {
    const { start, address } = run;
    if (address !== undefined && pieces !== undefined) {
      const words = pieces.splice(start).join("");
      if (words !== "") pieces.push(writeLink(words.trimEnd(), address), words.slice(words.trimEnd().length));
    }
    run = { start: 0 };
    isNumber = false;
  }
  /** Numbers go on as long as no paragraph without one, or of a higher level, comes between. */
  function markParagraph(): string {
    counts = counts.slice(0, numbering === undefined ? level : level + 1);
    if (numbering === undefined) return "";
    const { type = "", startAt = "1" } = numbering;
    const last = counts[level];
    const number = last?.type === type ? last.number + 1 : parseInt(startAt) || 1;
    counts[level] = { type, number };
    return writeMark(number, type);
  }
  function closeParagraph(): void {
    const text = pieces?.join("").trim() ?? "";
    pieces = undefined;
    if (text === "") return;
    const marked = markParagraph() + text;
    if (!tables.put(marked)) lines.push(marked);
  }
  function closeBox(): void {
    const text = lines.join("\n");
    lines = [];
    const isShown = context.isNotes ? place === "body" : !surroundings.has(place ?? "");
    if (!isShown || isHidden) return;
    if (titles.has(place ?? "") && title === "") title = text.replace(/\s+/g, " ").trim();
    else addBlock(text);
  }

  function open(name: string, attributes: Attributes): void {
    isText = name === "t";
    if (name === "Fallback") skipping++;
    if (skipping > 0) return;
    if (name === "oMath") math++;
    if (math > 0) equation.open(name, attributes.val);
    switch (name) {
      case "sp":
      case "cxnSp":
      case "pic":
      case "graphicFrame":
        [place, isHidden, lines] = [undefined, false, []];
        break;
      case "cNvPr":
        isHidden = attributes.hidden === "1" || attributes.hidden === "true";
        break;
      case "ph":
        place = attributes.type ?? "obj";
        break;
      case "txBody":
        counts = [];
        break;
      case "p":
        [pieces, level, numbering] = [[], 0, undefined];
        break;
      case "pPr":
        level = Math.min(Math.max(parseInt(attributes.lvl ?? "") || 0, 0), deepestLevel);
        break;
      case "buAutoNum":
        numbering = attributes;
        break;
      case "r":
      case "fld":
        run = { start: pieces?.length ?? 0 };
        isNumber = name === "fld" && attributes.type === "slidenum";
        break;
      case "rPr":
        if (math === 0) openRun(attributes);
        break;
      case "hlinkClick":
        run.address = context.addressOf(attributes.id ?? "");
        break;
      case "br":
        add("\n");
        break;
      case "tab":
        add(" ");
        break;
      case "tbl":
        tables.open(undefined);
        break;
      case "tr":
        tables.openRow();
        break;
      case "tc":
        tables.openCell();
        break;
      case "chart":
        if (attributes.id !== undefined) addBlock(context.readChart(attributes.id));
        break;
      case "relIds":
        if (attributes.dm !== undefined) addBlock(context.readDiagram(attributes.dm));
        break;
      case "oleObj":
        context.lose("objects");
    }
  }

  function close(name: string): void {
    isText = false;
    if (name === "Fallback") skipping--;
    if (skipping > 0) return;
    if (math > 0) equation.close(name);
    switch (name) {
      case "oMath":
        if (--math === 0) add(equation.take());
        break;
      case "r":
      case "fld":
        closeRun();
        break;
      case "p":
        closeParagraph();
        break;
      case "txBody":
        if (tables.depth === 0) closeBox();
        break;
      case "tr":
        tables.closeRow();
        break;
      case "tbl": {
        const table = tables.close();
        if (table !== null && !isHidden) blocks.push(table);
      }
    }
  }

  readXml(xml, {
    open,
    close,
    text(text) {
      if (isText && math > 0 && skipping === 0) equation.text(text);
      else if (isText) add(text);
    },
  });
  return { title, blocks };
}
