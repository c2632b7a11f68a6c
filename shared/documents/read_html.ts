import { Parser } from "htmlparser2";
import type { Block } from "./document_reader.ts";

/** The text of an HTML document as paragraphs and headings; a list or a table is one paragraph of many lines. */
export function readHtml(html: string): Block[] {
  const blocks: Block[] = [];
  let text = "";
  let containers = 0;

  function endBlock(level: number | null = null): void {
    blocks.push({ text, page: null, level });
    text = "";
  }

  const parser = new Parser({
    onopentagname(name) {
      if (isContainer(name) && containers++ === 0) endBlock();
      if (containers === 0 && isBlock(name)) endBlock();
      if (name === "li") text += "\n- ";
      if (name === "td" || name === "th") text += text === "" || text.endsWith("\n") ? "" : " | ";
      if (name === "p" && containers > 0 && !text.endsWith("\n")) text += " ";
      if (name === "br") text += "\n";
    },
    ontext(data) {
      // mammoth puts a link back to the text behind each note.
      if (data !== "↑") text += data;
    },
    onclosetag(name) {
      if (name === "tr") text += "\n";
      if (isContainer(name)) containers--;
      if (containers === 0 && (isContainer(name) || isBlock(name))) endBlock(headingLevel(name));
    },
  });
  parser.end(html);
  endBlock();
  return blocks;
}

function isContainer(name: string): boolean {
  return name === "ul" || name === "ol" || name === "table";
}

function isBlock(name: string): boolean {
  return name === "p" || headingLevel(name) !== null;
}

function headingLevel(name: string): number | null {
  return /^h[1-6]$/.test(name) ? Number(name[1]) : null;
}
