import { fieldsOf } from "../base/fields_of.ts";
import { decodeText } from "./charset.ts";
import { choosePageTitle } from "./page_title.ts";
import { findMarked, slimHtml, type SlimPage } from "./slim_html.ts";
import type { HtmlElement } from "./write_markdown.ts";

/** A page of the web, without its surroundings. */
export type Page = {
  title: string;
  /** The main content; empty if there is none. Its headings keep their levels, below the title. */
  markdown: string;
  /** The pages that it links to, with normalized addresses, each once. */
  links: string[];
  /** The address that the page itself names as its own, normalized. */
  canonical: string | null;
  /** The page asks search engines not to list it. */
  isUnlisted: boolean;
  /** The page is so long that only its first part was read. */
  isCut: boolean;
};

/** A page that cannot be read. `message` is a sentence for people, without its full stop. */
export class UnreadablePage extends Error {
  override name = "UnreadablePage";
}

/** A document of linkedom, whose types need those of a browser. */
type HtmlDocument = { body: HtmlElement };
type ReadableDocument = ConstructorParameters<typeof import("./readability.ts").Readability>[0];

const [before, after] = ["<!doctype html><html><body>", "</body></html>"];

/** The largest page that Readability judges: it takes about 1.3 ms of CPU time a kilobyte. */
const mostJudged = { length: 150_000, elements: 4_000 };

/**
 * Reads a page. The content is what the page itself marks as such, else what Readability takes for it, else all that does
 * not surround it.
 *
 * @param options.url its address after redirects
 * @param options.charset the label of the header Content-Type
 * @throws {UnreadablePage}
 */
export async function readPage(
  bytes: Uint8Array,
  { url, contentType = "", charset = null }: { url: string; contentType?: string; charset?: string | null },
): Promise<Page> {
  const html = await decodeText(bytes, { charset });
  // Text has no zeros, and files of other kinds have some soon.
  if (html.startsWith("%PDF-") || html.slice(0, 1_000).includes("\0")) {
    throw new UnreadablePage("The server calls it a web page, but it is a file of another kind");
  }
  const options = { url, isXml: contentType === "application/xhtml+xml" };
  const slim = slimHtml(html, options);
  const title = choosePageTitle(slim.titles, url);
  let markdown = await readContent(slim, url);
  if (markdown === "") markdown = await readContent(slimHtml(html, { ...options, keepsSurroundings: true }), url);
  if (markdown === "" && slim.isCut) throw new UnreadablePage("The page is built in a way that cannot be read");
  // Passages are named by the headings above them.
  if (markdown !== "" && !hasTitle(markdown, title)) markdown = `# ${title}\n\n${markdown}`;
  const { links, canonical, isUnlisted, isCut } = slim;
  return { title, markdown, links, canonical, isUnlisted, isCut };
}

async function readContent(slim: SlimPage, url: string): Promise<string> {
  if (slim.text === 0) return "";
  // Loaded with the first page: most requests to a function read none.
  const [{ parseHTML }, { writeMarkdown }] = await Promise.all([
    import("linkedom/worker"),
    import("./write_markdown.ts"),
  ]);
  const parse = (html: string): HtmlDocument =>
    fieldsOf(parseHTML(`${before}${html}${after}`)).document as HtmlDocument;
  const marked = findMarked(slim);
  const html = slim.pieces.slice(marked?.start, marked?.end).join("");
  const judged = marked === null ? await judge(html, slim, parse) : null;
  return writeMarkdown(parse(judged ?? html).body, { url });
}

/** The main content as Readability finds it; null if it finds little, as on lists of links and pages of short parts. */
async function judge(
  html: string,
  { elements, text }: SlimPage,
  parse: (html: string) => HtmlDocument,
): Promise<string | null> {
  if (html.length > mostJudged.length || elements > mostJudged.elements) return null;
  const { Readability } = await import("./readability.ts");
  const options = { charThreshold: 200, nbTopCandidates: 3, keepClasses: true };
  const article = new Readability(parse(html) as unknown as ReadableDocument, options).parse();
  const length = article?.textContent?.replace(/\s+/g, " ").length ?? 0;
  return length >= Math.max(200, 0.4 * text) ? article!.content ?? null : null;
}

/** Returns whether a text has a heading of the first level, or begins with its title as one of another level. */
function hasTitle(markdown: string, title: string): boolean {
  if (/^#+ (.*)/.exec(markdown)?.[1] === title) return true;
  let fence: string | undefined;
  for (const line of markdown.split("\n")) {
    if (fence === line) fence = undefined;
    else if (fence === undefined && line.startsWith("# ")) return true;
    else fence ??= /^(`{3,})[^`]*$/.exec(line)?.[1];
  }
  return false;
}
