// Without the parser that it would bring along: it gets elements.
import untypedTurndown from "turndown/lib/turndown.browser.cjs.js";

/** An element of a document, as far as it is used here. */
export interface HtmlElement {
  nodeName: string;
  textContent: string;
  normalize(): void;
  className: string;
  parentNode: HtmlElement | null;
  previousElementSibling: HtmlElement | null;
  nextElementSibling: HtmlElement | null;
  firstElementChild: HtmlElement | null;
  children: ArrayLike<HtmlElement> & Iterable<HtmlElement>;
  querySelector(selector: string): HtmlElement | null;
}

type Rule = { filter: string | string[]; replacement: (content: string, node: HtmlElement) => string };
interface Converter {
  addRule(name: string, rule: Rule): void;
  escape: (text: string) => string;
  turndown(root: HtmlElement): string;
}
const Turndown = untypedTurndown as new (options: Record<string, unknown>) => Converter;

/** The Markdown of an element: headings, lists, tables, code and text. Links and emphasis are text, and pictures nothing. */
export function writeMarkdown(root: HtmlElement): string {
  const converter = new Turndown({ headingStyle: "atx", codeBlockStyle: "fenced", br: "" });
  const layouts = new Map<HtmlElement, boolean>();
  const isLayout = (node: HtmlElement) => {
    const table = tableOf(node);
    if (table === null) return true;
    const known = layouts.get(table) ?? isLayoutTable(table);
    layouts.set(table, known);
    return known;
  };
  const rules: Record<string, Rule> = {
    text: { filter: ["a", "em", "i", "strong", "b", "thead", "tbody", "tfoot"], replacement: (content) => content },
    heading: {
      filter: ["h1", "h2", "h3", "h4", "h5", "h6"],
      replacement(content, { nodeName, className }) {
        // Documentation puts a sign with a link to the heading before or behind it.
        const text = oneLine(content).replace(/^[#¶§🔗]+\s*|(?<![#¶§🔗])[#¶§🔗]+$/gu, "").trimEnd();
        return text === ""
          ? ""
          : `\n\n${"#".repeat(Number(/level-(\d)/.exec(className)?.[1] ?? nodeName[1]))} ${text}\n\n`;
      },
    },
    listItem: {
      filter: "li",
      replacement(content, node) {
        const text = content.trim();
        if (text === "") return "";
        const mark = node.parentNode?.nodeName === "OL" ? `${countBefore(node) + 1}. ` : "- ";
        return `${mark}${text.replace(/\n{3,}/g, "\n\n").replace(/\n(?=.)/g, `\n${" ".repeat(mark.length)}`)}\n`;
      },
    },
    term: { filter: "dt", replacement: (content) => `\n\n${content.trim()}\n` },
    description: { filter: "dd", replacement: (content) => `${content.trim()}\n\n` },
    inlineCode: { filter: "code", replacement: writeInlineCode },
    code: {
      filter: "pre",
      replacement(_, node) {
        const text = node.textContent.replace(/^\n|\s+$/g, "");
        if (text === "") return "";
        const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map(({ length }) => length));
        const language = /language-(\S+)/.exec(node.className || node.firstElementChild?.className || "")?.[1] ?? "";
        const fence = "`".repeat(longest + 1);
        return `\n\n${fence}${language}\n${text}\n${fence}\n\n`;
      },
    },
    cell: {
      filter: ["td", "th"],
      replacement(content, node) {
        if (isLayout(node)) return `\n\n${content}\n\n`;
        return ` ${oneLine(content).replaceAll("|", "\\|")} |`;
      },
    },
    row: {
      filter: "tr",
      replacement(content, node) {
        if (isLayout(node) || content.trim() === "") return content;
        const isFirst = tableOf(node)?.querySelector("tr") === node;
        return `\n|${content}${isFirst ? `\n|${" --- |".repeat(node.children.length)}` : ""}`;
      },
    },
    caption: { filter: "caption", replacement: (content) => `\n\n${content.trim()}\n\n` },
    table: { filter: "table", replacement: (content) => `\n\n${content.trim()}\n\n` },
  };
  for (const [name, rule] of Object.entries(rules)) converter.addRule(name, rule);
  converter.escape = escapeText;
  // The parser parts text at each entity.
  root.normalize();
  return converter.turndown(root).replace(/[ \t]+$/gm, "").replace(/\n{3,}/g, "\n\n").trim();
}

/** Escapes only what would turn text into a heading, code, a quotation or HTML: each escape would be searched and shown. */
function escapeText(text: string): string {
  return text.replace(/^(\s*)(#{1,6}\s|```|~~~|>\s|[-=]{3,}\s*$)/, "$1\\$2").replace(/<(?=[a-z/!?])/gi, "\\<");
}

/** As the converter itself writes it, but in time in proportion to its length. In a block of code it is not used. */
function writeInlineCode(content: string, { parentNode }: HtmlElement): string {
  if (content === "" || parentNode?.nodeName === "PRE") return content;
  const text = content.replace(/\r?\n|\r/g, " ");
  const isPadded = text.startsWith(" ") && text.endsWith(" ") && /[^ ]/.test(text);
  const space = text.startsWith("`") || text.endsWith("`") || isPadded ? " " : "";
  const lengths = new Set(text.match(/`+/g)?.map(({ length }) => length));
  let length = 1;
  while (lengths.has(length)) length++;
  const mark = "`".repeat(length);
  return `${mark}${space}${text}${space}${mark}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function tableOf(node: HtmlElement): HtmlElement | null {
  let element: HtmlElement | null = node;
  while (element !== null && element.nodeName !== "TABLE") element = element.parentNode;
  return element;
}

/** Returns whether a table only puts blocks beside each other, or below each other. */
function isLayoutTable(table: HtmlElement): boolean {
  if (table.querySelector("table, h1, h2, h3, h4, pre") !== null) return true;
  const row = table.querySelector("tr");
  const isNarrow = (row: HtmlElement | null) => row === null || row.children.length < 2;
  return isNarrow(row) && isNarrow(row?.nextElementSibling ?? null);
}

const places = new WeakMap<HtmlElement, number>();

/** The number of list items before one. Each is counted from the last one that was, since empty ones are not. */
function countBefore(node: HtmlElement): number {
  let [place, before] = [0, node.previousElementSibling];
  for (; before !== null && !places.has(before); before = before.previousElementSibling) place++;
  if (before !== null) place += places.get(before)! + 1;
  places.set(node, place);
  return place;
}
