import { gzipSync } from "node:zlib";
import { PDFDocument, StandardFonts } from "pdf-lib";

/** The content at a path of a {@link TestSite}. */
export type SitePage = {
  body: string | Uint8Array<ArrayBuffer>;
  /** By default HTML in UTF-8. */
  type?: string;
  /** By default 200. For a redirect, also `headers.Location`. */
  status?: number;
  headers?: Record<string, string>;
  /** False: it stands in no sitemap. */
  isListed?: boolean;
};

/** A request to a {@link TestSite}. `isConditional`: it asked for changes only. */
export type SiteRequest = { path: string; status: number; isConditional: boolean; userAgent: string };

/** A website on this machine, whose pages a test can change. */
export type TestSite = AsyncDisposable & {
  /** Without a slash at its end. */
  url: string;
  /** By path, query included. What a test puts here comes before robots.txt, sitemaps and the feed too. */
  pages: Map<string, SitePage>;
  /** By default it forbids `/private/` and names the sitemap. Null: there is none. */
  robots: string | null;
  /** An index of a sitemap and of one in gzip, at `/sitemap.xml`. False: there is none. */
  hasSitemap: boolean;
  /** Answers all requests, as long as it is set. */
  answersInstead: ((request: Request) => Response | Promise<Response>) | null;
  /** All requests, oldest first. */
  requests: SiteRequest[];
  /** The requests for a path, or for all: how many, how many asked for changes only, and how many of them saw none. */
  count(path?: string): { all: number; conditional: number; unchanged: number };
  /** Adds or changes a page, its title, text and links to others. */
  write(path: string, page: { title: string; text: string; links?: string[] }): void;
  /** Moves a page for good: its old path redirects. */
  move(from: string, to: string): void;
};

/** A page as sites have them: its content between menus, a cookie banner, scripts and a footer. */
export function makePage({ title, text, links = [] }: { title: string; text: string; links?: string[] }): string {
  const paragraphs = text.split("\n\n").map((part) => part.startsWith("<") ? part : `<p>${part}</p>`).join("\n");
  const menu = ["/", "/docs/", "/news/", ...links].map((path) => `<li><a href="${path}">Menu ${path}</a></li>`).join(
    "",
  );
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title} | Test Site</title>
<style>.hidden { display: none }</style><script>const secret = "script text";</script></head>
<body>
<header class="site-header"><a href="/">Test Site</a><nav class="menu"><ul>${menu}</ul></nav></header>
<div id="cookie-banner" class="cookie-consent"><p>We use cookies to improve your visit.</p><button>Accept all</button></div>
<main><article><h1>${title}</h1>
${paragraphs}
</article></main>
<aside class="sidebar"><h2>Related</h2><ul>${menu}</ul></aside>
<footer><p>Copyright of the test site. All rights reserved.</p></footer>
</body></html>`;
}

/** A PDF file with a line of text on each page. */
export async function makeSitePdf(lines: string[]): Promise<Uint8Array<ArrayBuffer>> {
  const pdf = await PDFDocument.create();
  // The same bytes each time, whenever it is made.
  pdf.setCreationDate(new Date(0));
  pdf.setModificationDate(new Date(0));
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (const line of lines) pdf.addPage([500, 200]).drawText(line, { x: 20, y: 100, size: 12, font });
  return new Uint8Array(await pdf.save());
}

/**
 * Starts a site: a home page, `/docs/` with as many topics as wanted, `/news/` with its feed at `/feed.xml`, a page at
 * `/private/notes` that robots.txt forbids, one at `/unlisted` that only a link leads to, and a PDF file at
 * `/docs/handbook.pdf`. Topic 7 is at `/docs/topic-7`, and says that its code is `T7-amber`.
 */
export async function startTestSite({ topics = 10 }: { topics?: number } = {}): Promise<TestSite> {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
    if (site.answersInstead) return await site.answersInstead(request);
    const { pathname, search } = new URL(request.url);
    const path = pathname + search;
    const page = site.pages.get(path) ?? madePage(site, path);
    const response = answer(request, page);
    site.requests.push({
      path,
      status: response.status,
      isConditional: request.headers.has("if-none-match") || request.headers.has("if-modified-since"),
      userAgent: request.headers.get("user-agent") ?? "",
    });
    return response;
  });
  const url = `http://127.0.0.1:${server.addr.port}`;
  const site: TestSite = {
    url,
    pages: new Map(),
    robots: `User-agent: *\nDisallow: /private/\n\nSitemap: ${url}/sitemap.xml\n`,
    hasSitemap: true,
    answersInstead: null,
    requests: [],
    count(path) {
      const wanted = site.requests.filter((each) => path === undefined || each.path === path);
      const conditional = wanted.filter((each) => each.isConditional);
      const unchanged = conditional.filter(({ status }) => status === 304);
      return { all: wanted.length, conditional: conditional.length, unchanged: unchanged.length };
    },
    write(path, page) {
      site.pages.set(path, { ...site.pages.get(path), body: makePage(page) });
    },
    move(from, to) {
      const page = site.pages.get(from);
      if (page === undefined) throw new Error(`There is no page ${from}`);
      site.pages.set(to, page);
      site.pages.set(from, { body: "", status: 301, headers: { Location: to }, isListed: false });
    },
    [Symbol.asyncDispose]: () => server.shutdown(),
  };

  const numbers = Array.from({ length: topics }, (_, index) => index + 1);
  const paths = numbers.map((number) => `/docs/topic-${number}`);
  site.write("/", {
    title: "Welcome",
    text: "This site explains how lamps are made and repaired.",
    links: ["/unlisted"],
  });
  site.write("/docs/", {
    title: "All topics",
    text: `<ul>${paths.map((path) => `<li><a href="${path}">Read ${path}</a></li>`).join("")}</ul>`,
    links: ["/docs/handbook.pdf"],
  });
  for (const number of numbers) site.write(`/docs/topic-${number}`, describeTopic(number));
  for (const number of [1, 2, 3]) {
    site.write(`/news/${number}`, {
      title: `News ${number}`,
      text: `The workshop has published its notice ${number}. It concerns everyone who repairs lamps at home.`,
    });
  }
  site.write("/news/", {
    title: "News",
    text: "All notices of the workshop.",
    links: ["/news/1", "/news/2", "/news/3"],
  });
  site.write("/unlisted", { title: "Unlisted", text: "This page is in no sitemap, but the home page links to it." });
  site.pages.get("/unlisted")!.isListed = false;
  site.write("/private/notes", { title: "Notes", text: "Robots must not read the word plumcake." });
  site.pages.get("/private/notes")!.isListed = false;
  const handbook = await makeSitePdf(["The handbook begins here.", "The fuse of model K2 is rated at 13 amperes."]);
  site.pages.set("/docs/handbook.pdf", { body: handbook, type: "application/pdf" });
  return site;
}

function describeTopic(number: number): { title: string; text: string; links: string[] } {
  return {
    title: `Topic ${number}`,
    text: `This page describes lamp model ${number}, how it is built, and what it needs to work for many years.

<h2>Assembly of model ${number}</h2>

Put the base on a flat table, and screw the stem into it until it no longer turns. The code of model ${number} is T${number}-amber.

<h2>Care of model ${number}</h2>

Wipe the shade with a dry cloth every ${number + 1} weeks. Never use water, since it damages the varnish of the stem.`,
    links: [`/docs/topic-${number + 1}`],
  };
}

function madePage(site: TestSite, path: string): SitePage {
  const xml = (body: string) => ({ body: `<?xml version="1.0" encoding="UTF-8"?>\n${body}`, type: "application/xml" });
  if (path === "/robots.txt" && site.robots !== null) return { body: site.robots, type: "text/plain" };
  if (path === "/feed.xml") return { ...xml(makeFeed(site)), type: "application/rss+xml" };
  if (site.hasSitemap) {
    const listed = [...site.pages].filter(([, { status = 200, isListed = true }]) => status === 200 && isListed)
      .map(([path]) => path);
    const middle = Math.ceil(listed.length / 2);
    if (path === "/sitemap.xml") return xml(makeIndex([`${site.url}/sitemap-1.xml`, `${site.url}/sitemap-2.xml.gz`]));
    if (path === "/sitemap-1.xml") return xml(makeUrlSet(site.url, listed.slice(0, middle)));
    if (path === "/sitemap-2.xml.gz") {
      const { body } = xml(makeUrlSet(site.url, listed.slice(middle)));
      return { body: new Uint8Array(gzipSync(body)), type: "application/gzip" };
    }
  }
  return { body: makePage({ title: "Not found", text: "There is no such page." }), status: 404 };
}

const sitemapSpace = `xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"`;

function makeIndex(addresses: string[]): string {
  const items = addresses.map((address) => `<sitemap><loc>${address}</loc></sitemap>`);
  return `<sitemapindex ${sitemapSpace}>\n${items.join("\n")}\n</sitemapindex>\n`;
}

function makeUrlSet(origin: string, paths: string[]): string {
  const items = paths.map((path) => `<url><loc>${origin}${path.replaceAll("&", "&amp;")}</loc></url>`);
  return `<urlset ${sitemapSpace}>\n${items.join("\n")}\n</urlset>\n`;
}

function makeFeed({ url, pages }: TestSite): string {
  const items = [...pages.keys()].filter((path) => /^\/news\/\d+$/.test(path)).map((path) => {
    const number = Number(path.slice("/news/".length));
    const date = new Date(Date.UTC(2026, 0, number)).toUTCString();
    return `<item><title>News ${number}</title><link>${url}${path}</link><guid>${path}</guid><pubDate>${date}</pubDate></item>`;
  });
  return `<rss version="2.0"><channel><title>News of the test site</title><link>${url}/</link>
<description>Notices</description>\n${items.join("\n")}\n</channel></rss>\n`;
}

function answer(
  request: Request,
  { body, type = "text/html; charset=utf-8", status = 200, headers }: SitePage,
): Response {
  if (status !== 200) return new Response(body, { status, headers: { "Content-Type": type, ...headers } });
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const etag = `"${hash(bytes)}"`;
  // Follows from the content, so that it is another one after each change, without a clock.
  const modified = new Date(Date.UTC(2020, 0, 1) + 1_000 * (hash(bytes) % 100_000_000)).toUTCString();
  // The runtime weakens the tag where it compresses the reply.
  const known = request.headers.get("if-none-match")?.replace(/^W\//, "") ?? null;
  const isKnown = known === null ? request.headers.get("if-modified-since") === modified : known === etag;
  const all = { "Content-Type": type, ETag: etag, "Last-Modified": modified, ...headers };
  return isKnown ? new Response(null, { status: 304, headers: all }) : new Response(bytes, { headers: all });
}

/** FNV-1a, 32 bits. */
function hash(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => Math.imul(sum ^ byte, 0x01000193) >>> 0, 0x811c9dc5);
}
