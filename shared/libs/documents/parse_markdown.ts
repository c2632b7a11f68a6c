import { parseToml, parseYaml } from "../base/std/front_matter.ts";
import type { Block } from "./document_reader.ts";
import { raiseText, writeLink } from "./write_marks.ts";

/** Backticks are not followed by others: code between two marks in one line begins no block. */
const fenceLine = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const atxHeading = /^ {0,3}(#{1,6})(?![^ \t])/;
const underline = /^ {0,3}(=+|-+)[ \t]*$/;
/** A line of this kind is no heading, even where a line of dashes follows it. */
const noHeading = /^\s*(?:[-*+>|]|\d+[.)]\s)/;
const frontMatter = /^(?:---\n(?<yaml>[\s\S]*?\n)?(?:---|\.\.\.)|\+\+\+\n(?<toml>[\s\S]*?\n)?\+\+\+)(?:\n|$)/;
/** The line below the first row of a table. */
const delimiterRow = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
/** A definition that nothing refers to: a comment. */
const commentLine = /^ {0,3}\[(?:\/\/|comment)\]:/;
const commentMark = "<!--";

/**
 * A part of a Markdown text, of whole lines. `fence` is set where it begins inside of code or a comment: their mark.
 * `header` is set where it begins inside of a table: its first row, with the line below it.
 */
type MarkdownPart = {
  isBeginning: boolean;
  fence?: string | undefined;
  header?: string | undefined;
  /** The addresses that the whole text defines. */
  definitions?: LinkDefinitions;
};

/**
 * Finds headings, paragraphs and tables. Of front matter the title is kept, as a heading above all others, and
 * what reads as prose, such as a description; comments and struck text are left out; images become their text, and links
 * their text with the address. The returned `fence` and `header` are set where the text ends inside of code, a comment or
 * a table.
 */
export function parseMarkdown(
  text: string,
  part: MarkdownPart,
): { blocks: Block[]; fence?: string | undefined; header?: string | undefined } {
  const blocks: Block[] = [];
  const { definitions = new Map() } = part;
  let { fence, header } = part;
  let lines: string[] = [];

  function endParagraph(level: number | null = null): void {
    const text = lines.join("\n");
    blocks.push({ text, page: null, level, ...(header === undefined ? {} : { header }) });
    [lines, header] = [[], undefined];
  }

  const matter = part.isBeginning ? readFrontMatter(text) : null;
  if (matter) blocks.push(...matter.blocks);

  for (const written of text.slice(matter?.length).replace(/\n$/, "").split("\n")) {
    if (fence !== undefined && fence !== commentMark) {
      lines.push(written);
      if (written.trim().startsWith(fence) && written.trim() === fenceLine.exec(written)?.[1]) fence = undefined;
      continue;
    }
    const uncommented = withoutComments(written, fence === commentMark);
    fence = uncommented.isOpen ? commentMark : undefined;
    // What a comment leaves of a line is no blank line.
    if (commentLine.test(written) || uncommented.text.trim() === "" && written.trim() !== "") continue;
    if (definitions.size > 0 && definitionLine.test(written)) continue;
    const mark = fenceLine.exec(uncommented.text)?.[1];
    if (mark !== undefined) {
      if (header !== undefined) endParagraph();
      fence = mark;
      lines.push(uncommented.text);
      continue;
    }
    const line = writeInline(uncommented.text, definitions);
    const heading = atxHeading.exec(line);
    if (header !== undefined && line.includes("|")) {
      lines.push(line);
    } else if (lines.length > 0 && header === undefined && opensTable(lines.at(-1)!, line)) {
      const firstRow = lines.pop()!;
      if (lines.length > 0) endParagraph();
      header = `${firstRow}\n${line}`;
      lines = [firstRow, line];
    } else if (heading) {
      endParagraph();
      lines = [line.slice(heading[0].length).trim().replace(/\s+/g, " ").replace(/(?:^| )#+$/, "")];
      endParagraph(heading[1]!.length);
    } else if (underline.test(line)) {
      endParagraph(
        lines.length > 0 && header === undefined && !noHeading.test(lines[0]!) ? line.includes("=") ? 1 : 2 : null,
      );
    } else if (line.trim() === "") {
      endParagraph();
    } else {
      if (header !== undefined) endParagraph();
      lines.push(line);
    }
  }
  const isInTable = header !== undefined && lines.length > 0;
  const goesOn = { fence, header: isInTable ? header : undefined };
  endParagraph();
  return { blocks, ...goesOn };
}

/** Reads the front matter of a text. What has no names of values in it is a text between two lines, and no front matter. */
function readFrontMatter(text: string): { blocks: Block[]; length: number } | null {
  const { 0: matter = "", groups: { yaml, toml = "" } = {} } = frontMatter.exec(text) ?? {};
  const blocks: Block[] = [];
  try {
    const values = yaml === undefined ? parseToml(toml) : parseYaml(yaml);
    if (typeof values !== "object" || Array.isArray(values)) return null;
    addProse(values, { blocks, seen: new Set() });
  } catch {
    const written = yaml ?? toml;
    if (!/^[\w.-]+[ \t]*[:=]/.test(written)) return null;
    // A colon in a value is enough: all of it is kept.
    const title = /^title[ \t]*[:=](.*)$/m.exec(written)?.[1]?.trim();
    if (title) blocks.push({ text: title.replace(/^(["'])(.*)\1$/, "$2"), page: null, level: 0 });
    blocks.push({ text: written, page: null, level: null });
  }
  return { blocks, length: matter.length };
}

/** Adds the title at the top, and all texts of four words or more. `seen`: a value may be aliased many times. */
function addProse(value: unknown, into: { blocks: Block[]; seen: Set<unknown> }, key = ""): void {
  if (typeof value === "object" && value !== null) {
    if (into.seen.has(value)) return;
    into.seen.add(value);
    for (const [name, inner] of Object.entries(value)) addProse(inner, into, `${key}/${name}`);
  } else if (key === "/title" && value !== null) {
    into.blocks.unshift({ text: String(value).trim(), page: null, level: 0 });
  } else if (typeof value === "string" && value.split(/\s+/, 4).length === 4) {
    into.blocks.push({ text: value.trim(), page: null, level: null });
  }
}

function opensTable(firstRow: string, line: string): boolean {
  return firstRow.includes("|") && line.includes("|") && line.length <= 2_000 && delimiterRow.test(line);
}

/** `isInside`: the line begins in a comment. `isOpen`: so does the next one. */
function withoutComments(line: string, isInside: boolean): { text: string; isOpen: boolean } {
  let text = "";
  let at = 0;
  for (;;) {
    if (isInside) {
      const end = line.indexOf("-->", at);
      if (end === -1) return { text, isOpen: true };
      [at, isInside] = [end + 3, false];
    }
    const start = line.indexOf(commentMark, at);
    if (start === -1) return { text: text + line.slice(at), isOpen: false };
    text += line.slice(at, start);
    [at, isInside] = [start + commentMark.length, true];
  }
}

/** A stretch of code, which stays as it is; else what is struck, raised, lowered, or a link. */
const inline =
  /`{1,9}[^`\n]+`{1,9}|~~(?=\S)([^~\n]{1,500})~~|<(del|s|strike)>[^\n]{0,500}?<\/\2>|<(sup|sub)>([^<\n]{1,40})<\/\3>|<\/?ins>|<a\s[^<>\n]{0,500}?href=["']([^"'<>\n]{1,500})["'][^<>\n]{0,100}>([^\n]{0,300}?)<\/a>|<((?:https?:\/\/|mailto:)[^<>\s]{1,500})>/gi;

function writeInline(line: string, definitions: LinkDefinitions): string {
  const linked = line.includes("](") ? withLinks(withLinks(line)) : line;
  const written = definitions.size > 0 && linked.includes("[") ? writeReferences(linked, definitions) : linked;
  if (!/[~<]/.test(written)) return written;
  return written.replace(inline, (whole, struck, deleted, script, scripted, href, words, address) => {
    if (whole.startsWith("`") || whole.startsWith("~~~")) return whole;
    if (struck !== undefined || deleted !== undefined) return "";
    if (script !== undefined) return raiseText(scripted, script.toLowerCase() === "sup" ? "raised" : "lowered");
    if (href !== undefined) return writeLink(words, href);
    return address ?? "";
  });
}

/** An address may have brackets in it. A picture may be a link. */
function withLinks(line: string): string {
  return line.replace(
    /(!?)\[([^[\]\n]*)\]\(<?((?:[^()\s<>]|\([^()\s]{0,100}\)){0,1000})>?(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'))?[ \t]*\)/g,
    (_, picture, words, address) => picture === "!" ? words : writeLink(words, address),
  );
}

/** The addresses that a Markdown text defines in lines of their own, by their labels. */
export type LinkDefinitions = ReadonlyMap<string, string>;

/** A line that defines an address: `[label]: https://… "title"`. */
const definitionLine =
  /^ {0,3}\[([^[\]\n^][^[\]\n]{0,200})\]:[ \t]*<?((?:https?:\/\/|mailto:|tel:)[^\s<>]{1,500})>?(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*\r?$/;
const definitionLines = new RegExp(definitionLine, "gm");
/** `[words][label]`, `[label][]` and `[label]`. */
const references = /(!?)\[([^[\]\n]{1,300})\](?:\[([^[\]\n]{0,200})\])?(?![(:])/g;

/** Finds the definitions of a text. */
export function readLinkDefinitions(text: string): LinkDefinitions {
  const definitions = new Map<string, string>();
  for (const [, label, address] of text.matchAll(definitionLines)) {
    const key = keyOf(label!);
    // The first one counts.
    if (!definitions.has(key)) definitions.set(key, address!);
  }
  return definitions;
}

/** Writes the address of each link behind its words. Pictures are their words, and other brackets stay. */
export function writeReferences(text: string, definitions: LinkDefinitions): string {
  return text.replace(references, (whole, picture, words, label) => {
    const address = definitions.get(keyOf(label || words));
    if (address === undefined) return whole;
    return picture === "!" ? words : writeLink(words, address);
  });
}

function keyOf(label: string): string {
  return label.trim().replace(/\s+/g, " ").toLowerCase();
}
