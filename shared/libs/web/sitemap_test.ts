import { gzipSync } from "node:zlib";
import { fetchAddress } from "./fetch_address.ts";
import { readSitemap, type SitemapOptions } from "./sitemap.ts";
import { assert, assertEquals } from "../../../tests/support/assert.ts";
import { startHostileSite } from "../../../tests/support/hostile_site.ts";
import { startTestSite } from "../../../tests/support/test_site.ts";

const url = "https://example.com/sitemap.xml";
const gzip = (data: string | Uint8Array) => new Uint8Array(gzipSync(data));

function read(text: string | Uint8Array, options: Partial<SitemapOptions> = {}) {
  return readSitemap(typeof text === "string" ? new TextEncoder().encode(text) : text, { url, ...options });
}

/** The paths of the pages, and whether that is all. */
function pathsOf(text: string | Uint8Array, options: Partial<SitemapOptions> = {}): [string[], boolean] {
  const { urls, isWhole } = read(text, options);
  return [urls.map((each) => each.url.replace("https://example.com", "")), isWhole];
}

const urlset = (...items: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${
    items.join("\n")
  }</urlset>`;
const loc = (path: string) => `<url><loc>https://example.com${path}</loc></url>`;

Deno.test("sitemaps", async (t) => {
  const cases: [name: string, text: string | Uint8Array, paths: string[], isWhole: boolean][] = [
    ["XML", urlset(loc("/a"), loc("/b")), ["/a", "/b"], true],
    ["without any page", urlset(), [], true],
    ["in gzip, whatever it is called", gzip(urlset(loc("/a"))), ["/a"], true],
    [
      "in two parts of gzip",
      Uint8Array.from([...gzip(urlset(loc("/a")).slice(0, 50)), ...gzip(urlset(loc("/a")).slice(50))]),
      ["/a"],
      true,
    ],
    [
      "with white space, entities and CDATA",
      urlset(
        "<url><loc>\n  https://example.com/a?b=1&amp;c=2\n</loc></url><url><loc><![CDATA[https://example.com/d?e&f]]></loc></url>",
      ),
      ["/a?b=1&c=2", "/d?e&f"],
      true,
    ],
    ["the same page twice", urlset(loc("/a"), loc("/a#b"), loc("/a?utm_source=x")), ["/a"], true],
    [
      "addresses that are relative, foreign or none",
      urlset(
        "<url><loc>/a</loc></url><url><loc>https://other.example/a</loc></url><url><loc>javascript:alert(1)</loc></url><url><loc></loc></url><url></url>",
        loc("/b"),
      ),
      ["/b"],
      true,
    ],
    [
      "with pictures and prefixes",
      `<s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9"><s:url><image:image><image:loc>https://example.com/x.png</image:loc></image:image><image:loc>https://example.com/y.png</image:loc><s:loc>https://example.com/a</s:loc></s:url></s:urlset>`,
      ["/a"],
      true,
    ],
    [
      "with comments and an unknown entity",
      urlset("<!-- <url><loc>https://example.com/x</loc></url> -->", loc("/a&unknown;")),
      ["/a&unknown;"],
      true,
    ],
    ["plain text", "https://example.com/a\r\nhttps://example.com/b\n\nno address\nhttps://other.example/c", [
      "/a",
      "/b",
    ], true],
    ["plain text with a mark, in gzip", gzip("\uFEFFhttps://example.com/a"), ["/a"], true],
    [
      "RSS",
      `<rss version="2.0"><channel><link>https://example.com/</link><item><title>A</title><link>https://example.com/a</link></item></channel></rss>`,
      ["/a"],
      true,
    ],
    [
      "Atom",
      `<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://example.com/"/><entry><link rel="replies" href="https://example.com/x"/><link href="https://example.com/a"/></entry></feed>`,
      ["/a"],
      true,
    ],
    ["cut in an address", urlset(loc("/a"), loc("/bcd")).replace(/cd<[\s\S]*/, ""), ["/a"], false],
    ["without an end", urlset(loc("/a")).replace("</urlset>", ""), ["/a"], false],
    ["gzip without an end", gzip(urlset(loc("/a"))).subarray(0, -20), ["/a"], false],
    ["damaged gzip", Uint8Array.from([...gzip(urlset(loc("/a"))).subarray(0, 12), 255, 255, 255, 255]), [], false],
    ["HTML", "<!doctype html><html><body><a href='https://example.com/a'>A</a></body></html>", [], false],
    ["other XML", "<urls><url><loc>https://example.com/a</loc></url></urls>", ["/a"], false],
    ["nothing", "", [], true],
  ];
  for (const [name, text, paths, isWhole] of cases) {
    await t.step(name, () => {
      const [found, whole] = pathsOf(text);
      // Text before a damage may be found, or not.
      assertEquals(whole, isWhole);
      if (name !== "gzip without an end") assertEquals(found, paths);
    });
  }

  await t.step("dates", () => {
    const dates = ["2026-01-02", "2026-01-02T03:04:05+01:00", "yesterday", ""];
    const items = dates.map((date, index) => loc(`/${index}`).replace("</url>", `<lastmod>${date}</lastmod></url>`));
    assertEquals(read(urlset(...items)).urls.map(({ lastModified }) => lastModified), [
      "2026-01-02T00:00:00.000Z",
      "2026-01-02T02:04:05.000Z",
      null,
      null,
    ]);
  });

  await t.step("an index, whose sitemaps may be on other hosts", () => {
    const index = `<sitemapindex><sitemap><loc>https://example.com/1.xml</loc><lastmod>2026-01-02</lastmod></sitemap>` +
      `<sitemap><loc>https://files.example/2.xml.gz</loc></sitemap><sitemap><loc>/3.xml</loc></sitemap></sitemapindex>`;
    const sitemaps = ["https://example.com/1.xml", "https://files.example/2.xml.gz"];
    assertEquals(read(index), { urls: [], sitemaps, isWhole: true });
    assertEquals(read(index, { maxUrls: 1 }), { urls: [], sitemaps: sitemaps.slice(0, 1), isWhole: false });
  });

  await t.step("only the pages that are wanted", () => {
    assertEquals(pathsOf(urlset(loc("/a"), loc("/b")), { accepts: (page) => page.endsWith("/b") }), [["/b"], true]);
  });

  await t.step("cut when it was fetched, at a number of bytes, and at a number of addresses", () => {
    const text = urlset(loc("/a"), loc("/b"), loc("/c"));
    assertEquals(pathsOf(text, { isCut: true }), [["/a", "/b", "/c"], false]);
    assertEquals(pathsOf(text, { maxBytes: text.indexOf("<loc>https://example.com/c") }), [["/a", "/b"], false]);
    assertEquals(pathsOf(gzip(text), { maxBytes: text.indexOf("<loc>https://example.com/c") }), [["/a", "/b"], false]);
    assertEquals(pathsOf(text, { maxUrls: 2 }), [["/a", "/b"], false]);
    assertEquals(pathsOf(text, { maxUrls: 3, maxBytes: text.length }), [["/a", "/b", "/c"], true]);
    assertEquals(pathsOf("https://example.com/a\nhttps://example.com/b", { maxUrls: 1 }), [["/a"], false]);
  });
});

Deno.test("the sitemaps of a site", async () => {
  await using site = await startTestSite({ topics: 3 });
  const get = async (address: string) => {
    const found = await fetchAddress(address, {
      allowsPrivate: true,
      maxBytes: 1_000_000,
      signal: AbortSignal.timeout(20_000),
    });
    assert(found.kind === "content");
    return readSitemap(found.bytes, { url: found.url });
  };
  const { sitemaps, isWhole } = await get(`${site.url}/sitemap.xml`);
  assertEquals([sitemaps.length, isWhole], [2, true]);
  const parts = await Promise.all(sitemaps.map(get));
  assert(parts.every((part) => part.isWhole));
  const expected = ["/", "/docs/", "/docs/topic-1", "/docs/topic-2", "/docs/topic-3", "/docs/handbook.pdf", "/news/"];
  const found = parts.flatMap(({ urls }) => urls.map((each) => each.url.replace(site.url, "")));
  assertEquals(found.toSorted(), [...expected, "/news/1", "/news/2", "/news/3"].toSorted());
});

Deno.test("hostile sitemaps take bounded time", async (t) => {
  const deep = (count: number) => `<urlset>${"<a>".repeat(count)}${"</b>".repeat(count)}`;
  const cases: Record<string, string | Uint8Array> = {
    "a hundred megabytes in gzip": gzip(new Uint8Array(100_000_000)),
    "a hundred megabytes of pages in gzip": gzip(loc("/a").repeat(2_000_000)),
    "nested elements": deep(1_000_000),
    "attributes": `<urlset ${Array.from({ length: 500_000 }, (_, number) => `a${number}="1"`).join(" ")}>`,
    "one address without an end": `<urlset><url><loc>https://example.com/${"a".repeat(10_000_000)}`,
    "one line without an end": `https://example.com/${"a".repeat(10_000_000)}`,
    "entities within entities": `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">` +
      `<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]><urlset>${
        "<url><loc>https://example.com/&c;</loc></url>".repeat(100_000)
      }`,
    "empty tags": "<urlset>" + "<url/>".repeat(1_500_000),
    "brackets": "<".repeat(5_000_000),
  };
  for (const [name, text] of Object.entries(cases)) {
    await t.step(name, () => {
      const start = performance.now();
      assertEquals(read(text).isWhole, false);
      // A multiple of what it takes, for busy machines.
      assert(performance.now() - start < 5_000, `${performance.now() - start} ms`);
    });
  }

  await t.step("ten million lines: as many addresses as allowed", async () => {
    await using site = startHostileSite();
    const found = await fetchAddress(`${site.url}/sitemap.xml`, {
      allowsPrivate: true,
      maxBytes: 10_000_000,
      cuts: true,
      signal: AbortSignal.timeout(20_000),
    });
    assert(found.kind === "content" && found.isCut);
    const { urls, isWhole } = readSitemap(found.bytes, { url: found.url, isCut: found.isCut });
    assertEquals([urls.length, isWhole], [50_000, false]);
    assert(site.sent < 50_000_000, `${site.sent} bytes were sent`);
  });
});
