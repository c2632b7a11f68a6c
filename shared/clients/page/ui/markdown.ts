import { html, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import type { MarkedToken, Token, Tokens } from "marked";
import { type Formula, readCell, readMarkdown } from "./read_markdown.ts";

/** The styles of a text. */
export { default as textStyles } from "./text.css" with { type: "text" };

type Shown = TemplateResult | Element | string | typeof nothing | Shown[];

/** Elements of the page among those of a text, and how it is read. */
export type Extras = {
  /** What is shown beside a block of code, such as a button that copies it. */
  besideCode?: (code: string) => TemplateResult;
  /** What is shown for a number in square brackets; null if it is not the number of a source. */
  citation?: (number: number) => TemplateResult | null;
  /** True if the text may be wrapped, as files often are: the end of a line is then a space. */
  isWrapped?: boolean;
  /** Another value when the extras have changed. */
  version?: unknown;
};

/** The addresses that a link may lead to. */
const linkable = /^(?:https?|mailto|tel):/i;

/** More levels than any reader can follow, and far fewer than fill the stack of a browser. */
const deepest = 50;

/**
 * A text in Markdown. It is cut into blocks, and only blocks that have changed are rendered again. Nothing jumps while the text
 * grows, and a selection stays. Text that is nested too deeply, or takes too long to read, is shown as it was written.
 *
 * No part of the text is ever read as HTML: each element is written out here. There are no images, because loading one
 * would report the reader to its server.
 */
export function renderMarkdown(text: string, extras: Extras = {}): TemplateResult {
  const blocks = readMarkdown(text, extras);
  if (blocks === null) return html`${text}`;
  return html`${
    blocks.filter(({ type }) => type !== "space").map((block) =>
      guard([block.raw, extras.version], () => orPlain(() => render(block, { extras, depth: 0 }), block.raw))
    )
  }`;
}

/** The plain text where Markdown is nested so deeply that it cannot be read. */
function orPlain<Result>(read: () => Result, text: string): Result | string {
  try {
    return read();
  } catch {
    return text;
  }
}

/** @throws {RangeError} if the token is nested too deeply. */
function render(token: Token, { extras, depth }: { extras: Extras; depth: number }): Shown {
  if (depth > deepest) throw new RangeError("The text is nested too deeply");
  const within = (tokens: Token[] = []) => tokens.map((token) => render(token, { extras, depth: depth + 1 }));
  const it = token as MarkedToken;
  switch (it.type) {
    case "paragraph":
      return html`<p>${within(it.tokens)}</p>`;
    case "text":
      return it.tokens ? within(it.tokens) : renderCitations(readEntities(it.text), extras);
    case "strong":
      return html`<strong>${within(it.tokens)}</strong>`;
    case "em":
      return html`<em>${within(it.tokens)}</em>`;
    case "del":
      return html`<del>${within(it.tokens)}</del>`;
    case "br":
      return html`<br>`;
    case "hr":
      return html`<hr>`;
    case "codespan":
      return html`<code>${it.text}</code>`;
    case "code":
      return html`
        <div class="code"><pre><code>${renderCode(it as Tokens.Code)}</code></pre>${extras.besideCode?.(it.text) ??
          nothing}</div>
      `;
    case "blockquote":
      return html`<blockquote>${within(it.tokens)}</blockquote>`;
    case "heading":
      return renderHeading(it.depth, within(it.tokens));
    case "list":
      return renderList(it as Tokens.List, it.items.map((item) => renderItem(item, within(item.tokens))));
    case "link":
      // Some models end with a list of sources that reads as the addresses of the numbers.
      if (extras.citation && /^(?:\[\d{1,2}\])+$/.test(it.raw)) return renderCitations(it.raw, extras);
      return renderLink(readEntities(it.href), within(it.tokens));
    case "table":
      return renderTable(it as Tokens.Table, within);
    case "image":
    case "escape":
      return it.text;
    case "checkbox":
      return it.checked ? "☑ " : "☐ ";
    case "def":
    case "space":
      return nothing;
    default:
      return token.type === "formula" ? renderFormula(token as Formula) : token.raw;
  }
}

/** A formula, which is shown as it was written until the script that draws it is there. */
function renderFormula(formula: Formula): Element {
  const place = document.createElement(formula.isBlock ? "div" : "span");
  place.className = "formula";
  place.dir = "ltr";
  place.textContent = formula.raw.trim();
  void loadFormulas().then(({ drawFormula }) => drawFormula(place, formula), () => {});
  return place;
}

function loadFormulas(): Promise<typeof import("../formulas/human_formulas.ts")> {
  return import(new URL("human-formulas.js", import.meta.url).href);
}

/** The longest code in color, in UTF-16 units. */
const longestCode = 4_000;

/** Code, which has no colors while it grows, and until the script that colors it is there. */
function renderCode({ text: code, lang, raw }: Tokens.Code): Shown {
  const [language] = /^[\w+#-]+/.exec(lang ?? "") ?? [];
  if (language === undefined || code.length > longestCode || !/\n *(?:```|~~~)\s*$/.test(raw)) return code;
  const place = document.createElement("span");
  place.textContent = code;
  void loadColors().then(({ colorCode }) => colorCode(place, { code, language: language.toLowerCase() }), () => {});
  return place;
}

function loadColors(): Promise<typeof import("../code/human_code.ts")> {
  return import(new URL("human-code.js", import.meta.url).href);
}

function renderCitations(text: string, { citation }: Extras): Shown {
  if (!citation) return text;
  // The numbers stand at the odd places.
  return text.split(/\[(\d{1,2})\]/).map((part, place) =>
    place % 2 === 0 ? part : citation(Number(part)) ?? `[${part}]`
  );
}

/** The page has its own headings above those of a text. */
function renderHeading(depth: number, content: Shown): Shown {
  switch (depth) {
    case 1:
      return html`<h3>${content}</h3>`;
    case 2:
      return html`<h4>${content}</h4>`;
    case 3:
      return html`<h5>${content}</h5>`;
    default:
      return html`<h6>${content}</h6>`;
  }
}

function renderList({ ordered, start }: Tokens.List, items: Shown): Shown {
  return ordered ? html`<ol start=${start === 1 ? nothing : start}>${items}</ol>` : html`<ul>${items}</ul>`;
}

/** A task has a box instead of a bullet. */
function renderItem({ task }: Tokens.ListItem, content: Shown): Shown {
  return html`<li class=${task ? "task" : nothing}>${content}</li>`;
}

function renderLink(address: string, content: Shown): Shown {
  if (!linkable.test(address)) return content;
  return html`<a href=${address} target="_blank" rel="noopener noreferrer nofollow ugc">${content}</a>`;
}

function renderTable({ header, rows }: Tokens.Table, within: (tokens: Token[]) => Shown): Shown {
  return html`
    <table tabindex="0">
      <thead>
        <tr>${header.map((cell) => html`<th align=${cell.align ?? nothing}>${within(readCell(cell))}</th>`)}</tr>
      </thead>
      <tbody>${rows.map((row) =>
        html`<tr>${row.map((cell) => html`<td align=${cell.align ?? nothing}>${within(readCell(cell))}</td>`)}</tr>`
      )}</tbody>
    </table>
  `;
}

/** The HTML entities that are decoded. All others are shown as they were written. */
const entities: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\xa0",
  ndash: "–",
  mdash: "—",
  hellip: "…",
};

function readEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name) return entities[name] ?? whole;
    const code = decimal ? Number(decimal) : parseInt(hex, 16);
    return code > 0x10ffff ? whole : String.fromCodePoint(code);
  });
}
