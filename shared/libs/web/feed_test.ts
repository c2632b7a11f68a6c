import { fetchAddress } from "./fetch_address.ts";
import { type FeedOptions, readFeed } from "./feed.ts";
import { assert, assertEquals } from "../../../tests/support/assert.ts";
import { startTestSite } from "../../../tests/support/test_site.ts";

const url = "https://example.com/blog/feed.xml";

function read(text: string, options: Partial<FeedOptions> = {}) {
  return readFeed(new TextEncoder().encode(text), { url, charset: null, ...options });
}

const item = (fields: string) => `<item>${fields}</item>`;
const rss = (...items: string[]) =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/">` +
  `<channel><title>News &amp; more</title><atom:link href="https://example.com/self"/><link>https://example.com/</link>` +
  `<image><title>Logo</title><link>https://example.com/logo</link></image>${items.join("\n")}</channel></rss>`;
const atom = (...entries: string[]) =>
  `<feed xmlns="http://www.w3.org/2005/Atom"><title type="html">News</title><link rel="self" href="/self"/>${
    entries.join("\n")
  }</feed>`;

Deno.test("the entries of feeds", async (t) => {
  const cases: [
    name: string,
    text: string,
    entries: [url: string, title: string | null, updatedAt: string | null][],
  ][] = [
    [
      "RSS 2.0, newest first",
      rss(
        item("<title>Old</title><link>https://example.com/old</link><pubDate>Thu, 01 Jan 2026 10:00:00 GMT</pubDate>"),
        item("<title>None</title><link>https://example.com/none</link>"),
        item(
          "<title>New</title><link>https://example.com/new</link><pubDate>Fri, 02 Jan 2026 10:00:00 +0100</pubDate>",
        ),
      ),
      [
        ["https://example.com/new", "New", "2026-01-02T09:00:00.000Z"],
        ["https://example.com/old", "Old", "2026-01-01T10:00:00.000Z"],
        ["https://example.com/none", "None", null],
      ],
    ],
    [
      "RSS with relative and tracked addresses, CDATA, and HTML in titles",
      rss(
        item("<title><![CDATA[A <b>bold</b>  title]]></title><link><![CDATA[ /a?utm_source=rss ]]></link>"),
        item("<link>b#c</link>"),
      ),
      [["https://example.com/a", "A bold title", null], ["https://example.com/blog/b", null, null]],
    ],
    [
      "RSS without links: permanent ids",
      rss(
        item(`<guid>https://example.com/a</guid>`),
        item(`<guid isPermaLink="false">https://example.com/b</guid>`),
        item(`<guid>no address</guid>`),
      ),
      [["https://example.com/a", null, null]],
    ],
    [
      "RSS with fields of other namespaces",
      rss(
        item(
          `<media:title>Picture</media:title><atom:link href="https://example.com/x"/><media:content><title>No</title></media:content><dc:link>/y</dc:link>` +
            `<title>A</title><link>https://example.com/a</link><dc:date>2026-01-03</dc:date>`,
        ),
      ),
      [["https://example.com/a", "A", "2026-01-03T00:00:00.000Z"]],
    ],
    [
      "RSS 1.0",
      `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel rdf:about="x">` +
      `<title>News &amp; more</title></channel><item rdf:about="https://example.com/a"><title>A</title></item></rdf:RDF>`,
      [["https://example.com/a", "A", null]],
    ],
    [
      "Atom",
      atom(
        `<entry><title>A</title><link rel="self" href="/x"/><link rel="alternate" href="/a"/><id>tag:a</id>` +
          `<published>2026-01-01T00:00:00Z</published><updated>2026-01-02T00:00:00Z</updated></entry>`,
        `<entry xml:base="https://example.com/ignored/"><title type="html">&lt;i&gt;B&lt;/i&gt;</title><id>https://example.com/b</id></entry>`,
      ),
      [["https://example.com/a", "A", "2026-01-02T00:00:00.000Z"], ["https://example.com/b", "B", null]],
    ],
    [
      "Atom with bases",
      `<feed xml:base="https://example.com/base/"><entry><link href="a"/></entry><entry><link xml:base="own/" href="b"/></entry></feed>`,
      [["https://example.com/base/a", null, null], ["https://example.com/base/own/b", null, null]],
    ],
    [
      "JSON Feed",
      JSON.stringify({
        version: "https://jsonfeed.org/version/1.1",
        title: "News",
        items: [
          { id: "1", url: "/a", title: "A", date_published: "2026-01-01T00:00:00Z" },
          { id: "https://example.com/b", date_modified: "2026-01-02T00:00:00Z" },
          { id: "3" },
          "none",
        ],
      }),
      [["https://example.com/b", null, "2026-01-02T00:00:00.000Z"], [
        "https://example.com/a",
        "A",
        "2026-01-01T00:00:00.000Z",
      ]],
    ],
    [
      "the same page twice: the newer entry",
      rss(
        item("<link>https://example.com/a</link><title>Old</title><pubDate>Thu, 01 Jan 2026 10:00:00 GMT</pubDate>"),
        item("<link>https://example.com/a#b</link><title>New</title><pubDate>Fri, 02 Jan 2026 10:00:00 GMT</pubDate>"),
      ),
      [["https://example.com/a", "New", "2026-01-02T10:00:00.000Z"]],
    ],
    [
      "addresses that are none",
      rss(item("<link>javascript:alert(1)</link>"), item("<link>http://[</link>"), item("")),
      [],
    ],
  ];
  for (const [name, text, entries] of cases) {
    await t.step(name, async () => {
      const feed = await read(text);
      assertEquals(feed?.entries.map(({ url, title, updatedAt }) => [url, title, updatedAt]), entries);
      assertEquals(feed?.isWhole, true);
    });
  }

  await t.step("the title of the feed", async () => {
    assertEquals((await read(rss()))?.title, "News & more");
    assertEquals((await read(atom()))?.title, "News");
  });

  await t.step("a feed in another encoding", async () => {
    const text = `<?xml version="1.0" encoding="iso-8859-1"?>${
      rss(item("<title>Grüße</title><link>https://example.com/a</link>"))
        .replace(/^<\?xml[^>]*\?>/, "")
    }`;
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    assertEquals((await readFeed(bytes, { url, charset: null }))?.entries[0]?.title, "Grüße");
  });

  await t.step("not whole: cut, or more entries than wanted", async () => {
    const two = rss(item("<link>/a</link>"), item("<link>/b</link>"));
    assertEquals(await read(two.slice(0, two.indexOf("/b"))), {
      title: "News & more",
      entries: [{ url: "https://example.com/a", title: null, updatedAt: null }],
      isWhole: false,
    });
    assertEquals((await read(two, { isCut: true }))?.isWhole, false);
    const json = JSON.stringify({ version: "https://jsonfeed.org/version/1.1", items: [{ url: "/a" }, { url: "/b" }] });
    for (const text of [two, json]) {
      const { entries, isWhole } = (await read(text, { maxEntries: 1 }))!;
      assertEquals([entries.length, isWhole], [1, false]);
    }
  });

  await t.step("no feed", async () => {
    for (
      const text of ["", "hello", "<!doctype html><html></html>", "<urlset></urlset>", "{}", `{"items":[]}`, "{", "[]"]
    ) {
      assertEquals(await read(text), null, text);
    }
  });
});

Deno.test("hostile feeds take bounded time", async (t) => {
  const cases: Record<string, string> = {
    "nested elements": `<rss>${"<item>".repeat(500_000)}${"</x>".repeat(500_000)}`,
    "many entries": rss(item("<link>/a</link>").repeat(300_000)),
    "a title without an end": `<rss><channel><item><title>${"<b>&lt;".repeat(1_000_000)}`,
    "brackets in a title": rss(item(`<title>${"&lt;".repeat(1_000_000)}</title><link>/a</link>`)),
    "brackets in all titles": rss(
      Array.from(
        { length: 1_000 },
        (_, number) => item(`<title><![CDATA[${"<".repeat(4_000)}]]></title><link>/${number}</link>`),
      ).join(""),
    ),
    "nested JSON": `{"version":"https://jsonfeed.org/version/1","items":${"[".repeat(1_000_000)}`,
  };
  for (const [name, text] of Object.entries(cases)) {
    await t.step(name, async () => {
      const start = performance.now();
      await read(text);
      assert(performance.now() - start < 5_000, `${performance.now() - start} ms`);
    });
  }
});

Deno.test("the feed of a site", async () => {
  await using site = await startTestSite({ topics: 1 });
  const options = { allowsPrivate: true, maxBytes: 1_000_000, signal: AbortSignal.timeout(20_000) };
  const found = await fetchAddress(`${site.url}/feed.xml`, options);
  assert(found.kind === "content");
  const feed = await readFeed(found.bytes, found);
  assertEquals(feed?.entries.map(({ title }) => title), ["News 3", "News 2", "News 1"]);
});
