import { Parser } from "htmlparser2";
import type { Block } from "./document_reader.ts";

/** The text of an HTML document as paragraphs and headings; a list or a table is one paragraph of many lines. */
export function readHtml(html: string): Block[] {
  const blocks: Block[] = [];
  // Kept in pieces: to look at the end of a growing text, the runtime would copy all of it each time.
  let pieces: string[] = [];
  let containers = 0;

  function endBlock(level: number | null = null): void {
    blocks.push({ text: pieces.join(""), page: null, level });
    pieces = [];
  }

  function add(text: string): void {
    if (text !== "") pieces.push(text);
  }

  function isAtLineStart(): boolean {
    return pieces.at(-1)?.endsWith("\n") ?? false;
  }

  const parser = new Parser({
    onopentagname(name) {
      if (isContainer(name) && containers++ === 0) endBlock();
      if (containers === 0 && isBlock(name)) endBlock();
      if (name === "li") add("\n- ");
      if ((name === "td" || name === "th") && pieces.length > 0 && !isAtLineStart()) add(" | ");
      if (name === "p" && containers > 0 && !isAtLineStart()) add(" ");
      if (name === "br") add("\n");
    },
    ontext(data) {
      add(data);
    },
    onclosetag(name) {
      if (name === "tr") add("\n");
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
