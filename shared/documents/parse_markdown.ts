import type { Block } from "./document_reader.ts";

const fenceLine = /^ {0,3}(`{3,}|~{3,})/;
const atxHeading = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/;
const underline = /^ {0,3}(=+|-+)[ \t]*$/;
/** What a line of dashes ends instead of making it a heading. */
const noHeading = /^\s*(?:[-*+>|]|\d+[.)]\s)/;
const frontMatter = /^---\n(?:[\s\S]*?\n)?(?:---|\.\.\.)(?:\n|$)/;

/** A part of a Markdown text, whole lines. `fence` is the mark of the code in which it begins. */
export type MarkdownPart = { isBeginning: boolean; fence: string | undefined };

/**
 * Finds headings and paragraphs. Front matter is left out but for its title, which stands above all headings; links
 * and images become their text. Returns too the mark of the code in which the text ends.
 */
export function parseMarkdown(text: string, part: MarkdownPart): { blocks: Block[]; fence: string | undefined } {
  const blocks: Block[] = [];
  let { fence } = part;
  let lines: string[] = [];

  function endParagraph(level: number | null = null): void {
    blocks.push({ text: lines.join("\n"), page: null, level });
    lines = [];
  }

  const matter = part.isBeginning ? frontMatter.exec(text)?.[0] ?? "" : "";
  const title = /^title:(.*)$/m.exec(matter)?.[1]?.trim().replace(/^(["'])(.*)\1$/, "$2");
  if (title !== undefined) blocks.push({ text: title, page: null, level: 0 });

  for (const line of withoutLinks(text.slice(matter.length)).split("\n")) {
    const mark = fenceLine.exec(line)?.[1];
    const heading = atxHeading.exec(line);
    if (fence !== undefined) {
      lines.push(line);
      if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
    } else if (mark !== undefined) {
      fence = mark;
      lines.push(line);
    } else if (heading) {
      endParagraph();
      lines = [heading[2]?.replace(/\s+/g, " ").replace(/(?:^| )#+ ?$/, "") ?? ""];
      endParagraph(heading[1]!.length);
    } else if (underline.test(line)) {
      endParagraph(lines.length > 0 && !noHeading.test(lines[0]!) ? line.includes("=") ? 1 : 2 : null);
    } else if (line.trim() === "") {
      endParagraph();
    } else {
      lines.push(line);
    }
  }
  endParagraph();
  return { blocks, fence };
}

function withoutLinks(text: string): string {
  return text.replace(/!?\[([^[\]\n]*)\]\([^()\s]*(?:[ \t]+"[^"\n]*")?\)/g, "$1");
}
