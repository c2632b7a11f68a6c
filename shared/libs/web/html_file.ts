import { decodeText } from "./charset.ts";
import { findMarked, slimHtml } from "./slim_html.ts";

/**
 * Reduces an HTML file to its content, as HTML of few tags: what the file itself marks as such, else all that does not
 * surround it, as long as that has at least 70 % of the text that is shown and stands in no link. Returns the file as it is
 * if reading it so would take too long.
 */
export async function readHtmlFile(bytes: Uint8Array): Promise<Uint8Array> {
  const html = await decodeText(bytes, { charset: null });
  const options = { isXml: /^\s*<\?xml\s/.test(html) };
  const slim = slimHtml(html, options);
  if (slim.isCut) return bytes;
  const enough = 0.7 * (slim.prose + slim.surroundings);
  const marked = findMarked(slim);
  const isMarked = marked !== null && marked.prose >= enough;
  const pieces = isMarked
    ? slim.pieces.slice(marked.start, marked.end)
    : slim.prose >= enough && slim.text > 0
    ? slim.pieces
    : slimHtml(html, { ...options, keepsSurroundings: true }).pieces;
  const content = pieces.join("");
  // Some programs write the title into a header.
  const title = content.includes("<h1") ? "" : slim.titles.outer.trim();
  const heading = title === "" ? "" : `<h1>${title.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</h1>`;
  return new TextEncoder().encode(heading + content);
}
