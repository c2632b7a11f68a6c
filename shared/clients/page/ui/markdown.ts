import createSanitizer from "dompurify";
import type { TemplateResult } from "lit";
import { html } from "lit";
import { guard } from "lit/directives/guard.js";
import { Marked, type Token } from "marked";

/**
 * The HTML that a text may become. Images and styles are not allowed: a file of the persona may contain anything, and
 * loading an image would report the reader to its server.
 */
const allowed = {
  ALLOWED_TAGS: [
    ...["p", "br", "hr", "strong", "em", "del", "code", "pre", "blockquote", "ul", "ol", "li", "a"],
    ...["h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"],
  ],
  ALLOWED_ATTR: ["href", "start", "align"],
  ALLOWED_URI_REGEXP: /^(?:https?|mailto|tel):/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
};

const sanitizer = createSanitizer(window);
sanitizer.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName !== "A") return;
  node.setAttribute("target", "_blank");
  node.setAttribute("rel", "noopener noreferrer nofollow ugc");
});

const marked = new Marked({
  gfm: true,
  breaks: true,
  async: false,
  // HTML in a text is shown as text.
  tokenizer: { html: () => undefined, tag: () => undefined },
  renderer: {
    // An image is shown as its description.
    image: ({ text }) => escapeHtml(text),
    // The page has its own headings above those of a text.
    heading({ tokens, depth }) {
      const level = Math.min(depth + 2, 6);
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`;
    },
  },
});

/**
 * A text in Markdown. It is cut into blocks, of which only those that have changed are shown anew: nothing jumps while the
 * text grows, and what the reader has selected stays selected. What is nested too deeply is shown as it was written.
 */
export function renderMarkdown(text: string): TemplateResult {
  const blocks = orPlain(() => marked.lexer(text).filter(({ type }) => type !== "space"), text);
  if (typeof blocks === "string") return html`${blocks}`;
  return html`${blocks.map((block) => guard([block.raw], () => orPlain(() => renderBlock(block), block.raw)))}`;
}

/** The plain text where Markdown is nested so deeply that it cannot be read. */
function orPlain<Result>(read: () => Result, text: string): Result | string {
  try {
    return read();
  } catch {
    return text;
  }
}

function renderBlock(block: Token): DocumentFragment {
  return sanitizer.sanitize(marked.parser([block]), { ...allowed, RETURN_DOM_FRAGMENT: true });
}

function escapeHtml(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
}
