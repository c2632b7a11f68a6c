import { writeLink } from "../documents/write_marks.ts";

/** A node of a document, as far as it is used here. */
export interface HtmlNode {
  nodeType: number;
  nodeName: string;
  textContent: string;
  childNodes: Iterable<HtmlNode>;
}

/** An element of a document, as far as it is used here. */
export interface HtmlElement extends HtmlNode {
  className: string;
  normalize(): void;
  nextElementSibling: HtmlElement | null;
  firstElementChild: HtmlElement | null;
  children: ArrayLike<HtmlElement> & Iterable<HtmlElement>;
  getAttribute(name: string): string | null;
  querySelector(selector: string): HtmlElement | null;
  querySelectorAll(selector: string): ArrayLike<HtmlElement> & Iterable<HtmlElement>;
}

/** A block of the text. A list stands right below the item that it is in, and a description right below its term. */
type WrittenBlock = { text: string; kind?: "list" | "term" };

/** More links to the same site are its index: the addresses would outweigh the text. */
const mostOwnLinks = 50;
const [elementType, textType] = [1, 3];

/**
 * The Markdown of an element: headings, lists, tables, code and text. Emphasis is text, pictures are nothing, and a link is
 * its text with the address.
 *
 * @param options.url the address of the page
 */
export function writeMarkdown(root: HtmlElement, { url }: { url: string }): string {
  // The parser parts text at each entity.
  root.normalize();
  const host = new URL(url).host;
  const isOwn = (address: string) => URL.parse(address)?.host === host;
  const addresses = Array.from(root.querySelectorAll("a"), (link) => link.getAttribute("href") ?? "");
  const isIndex = addresses.filter(isOwn).length > mostOwnLinks;
  const hasAddress = (address: string) => /^(?:https?|mailto|tel):/i.test(address) && !(isIndex && isOwn(address));
  return joinBlocks(writeBlocks(root, hasAddress)).replace(/[ \t]+$/gm, "").trim();
}

type HasAddress = (address: string) => boolean;

function writeBlocks(root: HtmlElement, hasAddress: HasAddress): WrittenBlock[] {
  const blocks: WrittenBlock[] = [];
  /** The pieces of the paragraph that is being written. */
  let pieces: string[] = [];
  let beginsWithCode = false;

  function add(piece: string, { isCode = false } = {}): void {
    if (pieces.length === 0) {
      if (piece.trim() === "" && piece !== "\n") return;
      beginsWithCode = isCode;
    }
    pieces.push(piece);
  }

  function endParagraph(): void {
    const text = pieces.join("").replace(/[ \t]+/g, " ").replace(/ ?\n ?/g, "\n").trim();
    pieces = [];
    if (text !== "") blocks.push({ text: beginsWithCode ? text : escapeBeginning(text) });
  }

  function addBlock(block: WrittenBlock): void {
    endParagraph();
    if (block.text !== "") blocks.push(block);
  }

  function addLink(link: HtmlElement): void {
    const start = pieces.length;
    const before = blocks.length;
    visitChildren(link);
    const address = link.getAttribute("href") ?? "";
    // A link around blocks has no words of its own.
    if (blocks.length > before || !hasAddress(address)) return;
    const words = pieces.splice(start).join("");
    const end = words.trimEnd();
    if (end !== "") add(writeLink(end, address) + words.slice(end.length));
  }

  function addTable(table: HtmlElement): void {
    const rows = [...table.querySelectorAll("tr")];
    if (isLayoutTable(table)) return visitBlock(table);
    const caption = table.querySelector("caption");
    if (caption !== null) addBlock({ text: joinBlocks(writeBlocks(caption, hasAddress)) });
    const cellsOf = (row: HtmlElement) =>
      Array.from(row.children, (cell) => oneLine(joinBlocks(writeBlocks(cell, hasAddress))));
    // A title of the whole table, above the names of its columns.
    if (rows[0]?.children.length === 1) addBlock({ text: cellsOf(rows.shift()!).join("") });
    const lines = rows.map((row) => {
      const cells = cellsOf(row);
      return cells.length === 0 ? "" : `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
    });
    const columns = rows[0]?.children.length ?? 0;
    addBlock({ text: [lines[0], `|${" --- |".repeat(columns)}`, ...lines.slice(1)].filter(Boolean).join("\n") });
  }

  function visitBlock(element: HtmlElement): void {
    endParagraph();
    visitChildren(element);
    endParagraph();
  }

  function visitChildren(element: HtmlElement): void {
    for (const node of element.childNodes) {
      if (node.nodeType === textType) add(node.textContent.replace(/<(?=[a-z/!?])/gi, "\\<"));
      else if (node.nodeType === elementType) visit(node as HtmlElement);
    }
  }

  function visit(element: HtmlElement): void {
    switch (element.nodeName) {
      case "BR":
        return add("\n");
      case "A":
        return addLink(element);
      case "CODE":
        return add(writeInlineCode(element.textContent), { isCode: true });
      case "PRE":
        return addBlock({ text: writeCode(element) });
      case "H1":
      case "H2":
      case "H3":
      case "H4":
      case "H5":
      case "H6":
        return addBlock({ text: writeHeading(element) });
      case "UL":
      case "OL":
        return addBlock({ text: writeList(element, hasAddress), kind: "list" });
      case "DT":
        return addBlock({ text: joinBlocks(writeBlocks(element, hasAddress)), kind: "term" });
      case "DD": {
        endParagraph();
        const text = joinBlocks(writeBlocks(element, hasAddress));
        const last = blocks.at(-1);
        if (last?.kind === "term") blocks[blocks.length - 1] = { text: `${last.text}\n${text}` };
        else addBlock({ text });
        return;
      }
      case "BLOCKQUOTE":
        return addBlock({ text: joinBlocks(writeBlocks(element, hasAddress)).replace(/^/gm, "> ") });
      case "TABLE":
        return addTable(element);
      default:
        return visitBlock(element);
    }
  }

  visitBlock(root);
  return blocks;
}

function joinBlocks(blocks: WrittenBlock[], { isItem = false } = {}): string {
  return blocks.map(({ text, kind }, i) => (i === 0 ? "" : isItem && kind === "list" ? "\n" : "\n\n") + text).join("");
}

function writeHeading(element: HtmlElement): string {
  const text = oneLine(joinBlocks(writeBlocks(element, () => false)))
    // Documentation puts a sign with a link to the heading before or behind it.
    .replace(/^\\?[#¶§🔗]+\s*|(?<![#¶§🔗])[#¶§🔗]+$/gu, "").trimEnd();
  const level = Number(/level-(\d)/.exec(element.className)?.[1] ?? element.nodeName[1]);
  return text === "" ? "" : `${"#".repeat(level)} ${text}`;
}

function writeList(list: HtmlElement, hasAddress: HasAddress): string {
  const items: string[] = [];
  let number = 0;
  for (const item of list.children) {
    number++;
    const blocks = writeBlocks(item, hasAddress);
    const text = joinBlocks(blocks, { isItem: true });
    if (text === "") continue;
    const mark = list.nodeName === "OL" ? `${number}. ` : "- ";
    const isLoose = blocks.filter(({ kind }) => kind !== "list").length > 1;
    items.push(mark + text.replace(/\n(?=.)/g, `\n${" ".repeat(mark.length)}`) + (isLoose ? "\n" : ""));
  }
  return items.join("\n").trimEnd();
}

/** Escapes only what would turn text into a heading, code or a quotation: each escape would be searched and shown. */
function escapeBeginning(text: string): string {
  return text.replace(/^(#{1,6}\s|```|~~~|>\s|[-=]{3,}[ \t]*(?:\n|$))/gm, "\\$1");
}

/** In a block of code it is not used. */
function writeInlineCode(content: string): string {
  if (content === "") return "";
  const text = content.replace(/\r?\n|\r/g, " ");
  const isPadded = text.startsWith(" ") && text.endsWith(" ") && /[^ ]/.test(text);
  const space = text.startsWith("`") || text.endsWith("`") || isPadded ? " " : "";
  const lengths = new Set(text.match(/`+/g)?.map(({ length }) => length));
  let length = 1;
  while (lengths.has(length)) length++;
  const mark = "`".repeat(length);
  return `${mark}${space}${text}${space}${mark}`;
}

function writeCode(element: HtmlElement): string {
  const text = textOf(element).replace(/^\n|\s+$/g, "");
  if (text === "") return "";
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2);
  const language = /language-(\S+)/.exec(element.className || element.firstElementChild?.className || "")?.[1] ?? "";
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** The text of code, with its line breaks. */
function textOf(node: HtmlNode): string {
  if (node.nodeType === textType) return node.textContent;
  return node.nodeName === "BR" ? "\n" : Array.from(node.childNodes, textOf).join("");
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Returns whether a table only puts blocks beside each other, or below each other. */
function isLayoutTable(table: HtmlElement): boolean {
  if (table.querySelector("table, h1, h2, h3, h4, pre") !== null) return true;
  const row = table.querySelector("tr");
  const isNarrow = (row: HtmlElement | null) => row === null || row.children.length < 2;
  return isNarrow(row) && isNarrow(row?.nextElementSibling ?? null);
}
