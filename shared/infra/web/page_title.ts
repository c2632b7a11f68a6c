const longest = 200;
/** Between the title of a page and the name of its site. */
const separators = /\s+[|·•»«:–—-]{1,2}\s+|\s*\|\s*/;

/** The titles that a page has, empty if it has none. */
export type PageTitles = { document: string; heading: string; shared: string; site: string };

/** The title of a page without the name of its site; that of its address if it has none. */
export function choosePageTitle(titles: PageTitles, url: string): string {
  const [document, heading, shared, site] = [titles.document, titles.heading, titles.shared, titles.site].map(clean);
  const { hostname, pathname } = new URL(url);
  const own = withoutSite(shared || document!, { site: site!, hostname });
  // A heading that the title begins with is the title; another one may be the name of the site.
  const isHeading = heading !== "" && document!.toLowerCase().startsWith(heading!.toLowerCase());
  const lastPart = decode(pathname.split("/").findLast((part) => part !== "") ?? "").replace(/\.\w{2,5}$/, "");
  const chosen = (isHeading ? heading : own) || heading || lastPart.replace(/[-_+]+/g, " ").trim() || hostname;
  return chosen!.slice(0, longest).trim();
}

function withoutSite(title: string, { site, hostname }: { site: string; hostname: string }): string {
  const parts = title.split(separators).filter((part) => part !== "");
  if (parts.length < 2) return title;
  const host = plain(hostname.replace(/^www\./, "").replace(/\.[a-z]+$/, ""));
  /** The name of the site, or of its host, perhaps with the form of a company behind it. */
  const isSite = (part: string) => {
    const name = plain(part);
    if (name === "") return false;
    return name === plain(site) || (name.length > 2 && host.includes(name)) ||
      (host.length > 3 && name.startsWith(host) && name.length < host.length + 10);
  };
  if (isSite(parts.at(-1)!)) return title.slice(0, title.lastIndexOf(parts.at(-1)!)).replace(trailing, "");
  if (isSite(parts[0]!)) return title.slice(title.indexOf(parts[1]!, parts[0]!.length));
  // Otherwise only the last part after a bar, which titles themselves do not have.
  const bar = /^(.+?)\s*\|[^|]*$/.exec(title)?.[1];
  return bar ?? title;
}

const trailing = /\s*[|·•»«:–—-]{1,2}\s*$/;

function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

function clean(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
