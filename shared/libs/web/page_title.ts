import { decodePart } from "../base/text.ts";

const longest = 200;
/** Between the title of a page and the name of its site. */
const separators = /\s+[|·•»«:–—-]{1,2}\s+|\s*\|\s*/;

/** The titles of a page; empty where there is none. */
export type PageTitles = {
  /** Of `<title>`. */
  document: string;
  /** The first `<h1>` within the content that the page marks as such. */
  heading: string;
  /** The first `<h1>` anywhere else: of pages that mark no content, or the name of the site. */
  outer: string;
  /** Open Graph's title of the page, and the name of its site. */
  shared: string;
  site: string;
};

/** The title of a page without the name of its site; that of its address if it has none. */
export function choosePageTitle(titles: PageTitles, url: string): string {
  const document = clean(titles.document);
  const { hostname, pathname } = new URL(url);
  const own = withoutSite(clean(titles.shared) || document, { names: [titles.site, titles.outer], hostname });
  // A heading that the title begins with is the title; another one may be the name of the site.
  const heading = clean(titles.heading) || clean(titles.outer);
  const isTitle = heading !== "" && document.toLowerCase().startsWith(heading.toLowerCase());
  const lastPart = decodePart(pathname.split("/").findLast((part) => part !== "") ?? "").replace(/\.\w{2,5}$/, "");
  const chosen = (isTitle ? heading : own) || heading || lastPart.replace(/[-_+]+/g, " ").trim() || hostname;
  return chosen.slice(0, longest).trim();
}

/** @param options.names possible names of the site */
function withoutSite(title: string, { names, hostname }: { names: string[]; hostname: string }): string {
  const parts = title.split(separators).filter((part) => part !== "");
  if (parts.length < 2) return title;
  const [first, last] = [parts[0]!, parts.at(-1)!];
  if (isSite(last, hostname) || names.some((name) => plain(name) === plain(last))) {
    return title.slice(0, title.lastIndexOf(last)).replace(trailing, "");
  }
  if (isSite(first, hostname)) return title.slice(title.indexOf(parts[1]!, first.length));
  // Otherwise only the last part after a bar, which titles themselves do not have.
  return /^(.+?)\s*\|[^|]*$/.exec(title)?.[1] ?? title;
}

/** Returns whether a text is the name of a host, perhaps with the form of a company behind it. */
function isSite(text: string, hostname: string): boolean {
  const name = plain(text);
  const host = plain(hostname.replace(/^www\./, "").replace(/\.[a-z]+$/, ""));
  if (name.length > 2 && host.includes(name)) return true;
  return host.length > 3 && name.startsWith(host) && name.length < host.length + 10;
}

const trailing = /\s*[|·•»«:–—-]{1,2}\s*$/;

function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

function clean(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
