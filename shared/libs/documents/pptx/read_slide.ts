import type { Block, Loss } from "../document_reader.ts";
import { createEquationWriter } from "../docx/equation.ts";
import { type Attributes, readXml } from "../docx/read_xml.ts";
import { createTables } from "../docx/tables.ts";
import { raiseText } from "../raise_text.ts";
import { writeLink } from "../write_link.ts";

/** The things that a slide refers to. */
export type SlideContext = {
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

/** The title of a slide, and its other texts: a block for each text box, table, chart and diagram. */
export function readSlide(xml: string, context: SlideContext): { title: string; blocks: Block[] } {
  const blocks: Block[] = [];
  const tables = createTables();
  const equation = createEquationWriter();
  let title = "";
  let place: string | undefined;
  let isHidden = false;
  /** The paragraphs of a text box. */
  let lines: string[] = [];
  let pieces: string[] | undefined;
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
  function closeParagraph(): void {
    const text = pieces?.join("").trim() ?? "";
    pieces = undefined;
    if (text !== "" && !tables.put(text)) lines.push(text);
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
      case "p":
        pieces = [];
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
