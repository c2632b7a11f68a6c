import type { Block } from "./document_reader.ts";

/** Backticks are not followed by others: code between two marks in one line begins no block. */
const fenceLine = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const atxHeading = /^ {0,3}(#{1,6})(?![^ \t])/;
const underline = /^ {0,3}(=+|-+)[ \t]*$/;
/** A line of this kind is no heading, even where a line of dashes follows it. */
const noHeading = /^\s*(?:[-*+>|]|\d+[.)]\s)/;
const frontMatter = /^---\n(?:[\s\S]*?\n)?(?:---|\.\.\.)(?:\n|$)/;

/** A part of a Markdown text, of whole lines. `fence` is set where it begins inside of code: the mark of that code. */
export type MarkdownPart = { isBeginning: boolean; fence: string | undefined };

/**
 * Finds headings and paragraphs. Of front matter only the title is kept, as a heading above all others; links and images
 * become their text. The returned `fence` is set where the text ends inside of code.
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
      lines = [line.slice(heading[0].length).trim().replace(/\s+/g, " ").replace(/(?:^| )#+$/, "")];
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
