import type { FetchedAddress } from "./fetch_address.ts";
import { fetchAddress } from "./fetch_address.ts";
import { mostRobotsBytes, readRobots, type Robots, robotsAddress } from "./robots.ts";
import { assert, assertEquals } from "../../../tests/support/assert.ts";
import { startHostileSite } from "../../../tests/support/hostile_site.ts";

const url = "https://example.com/robots.txt";

function contentOf(text: string): FetchedAddress {
  const bytes = new TextEncoder().encode(text);
  const nothing = { charset: null, isCut: false, etag: null, lastModified: null };
  return { kind: "content", url, contentType: "text/plain", bytes, ...nothing };
}

function read(text: string) {
  return readRobots(contentOf(text), { url, name: "HumanReader" });
}

Deno.test("rules by RFC 9309", async (t) => {
  const cases: [name: string, text: string, paths: Record<string, boolean>][] = [
    ["an empty file allows everything", "", { "/": true, "/a": true }],
    ["HTML instead of rules", "<!doctype html><p>Disallow: everything", { "/": true }],
    ["all programs", "User-agent: *\nDisallow: /a", { "/": true, "/a": false, "/ab": false, "/b/a": true }],
    ["an empty rule forbids nothing", "User-agent: *\nDisallow:", { "/": true }],
    ["the longest rule decides, in any order", "User-agent: *\nAllow: /a/b\nDisallow: /a", {
      "/a/c": false,
      "/a/b": true,
    }],
    ["of two as long the one that allows", "User-agent: *\nDisallow: /a\nAllow: /a", { "/a": true }],
    ["a group of our own comes first", "User-agent: *\nDisallow: /\n\nUser-agent: humanreader/2.0\nDisallow: /b", {
      "/a": true,
      "/b": false,
    }],
    [
      "groups with one name are one",
      "User-agent: HumanReader\nDisallow: /a\nUser-agent: x\nDisallow: /c\n" +
      "User-agent: HumanReader\nDisallow: /b",
      { "/a": false, "/b": false, "/c": true },
    ],
    ["a group of several names", "User-agent: other\nUser-agent: HumanReader\nDisallow: /a", { "/a": false }],
    ["only other programs", "User-agent: HumanReaderX\nDisallow: /", { "/": true }],
    ["stars and the end", "User-agent: *\nDisallow: /*.pdf$\nDisallow: /*/secret\nDisallow: /x*y*z", {
      "/a.pdf": false,
      "/a.pdf?b": true,
      "/a.pdfs": true,
      "/a/secret/b": false,
      "/secret": true,
      "/x1y2z3": false,
      "/xzy": true,
    }],
    ["a start and an end that overlap", "User-agent: *\nDisallow: /aba*ba$", { "/aba": true, "/ababa": false }],
    ["the end alone", "User-agent: *\nDisallow: /$", { "/": false, "/a": true }],
    ["escapes in either spelling", "User-agent: *\nDisallow: /%7Ea/%c3%a4\nDisallow: /ö", {
      "/~a/ä": false,
      "/%7ea/%C3%A4": false,
      "/%C3%B6": false,
    }],
    [
      "comments, spaces, a mark and other line ends",
      "\uFEFFuser-agent : * # all\r\n  DISALLOW : /a # no\rAllow: /a/b",
      {
        "/a": false,
        "/a/b": true,
      },
    ],
    ["a query", "User-agent: *\nDisallow: /*?print=", { "/a?print=1": false, "/a": true }],
    ["rules before any name", "Disallow: /\nUser-agent: *\nDisallow: /a", { "/": true, "/a": false }],
    ["a sitemap between names does not part them", "User-agent: x\nSitemap: /s.xml\nUser-agent: *\nDisallow: /a", {
      "/a": false,
    }],
    ["robots.txt itself", "User-agent: *\nDisallow: /", { "/robots.txt": true, "/": false }],
  ];
  for (const [name, text, paths] of cases) {
    await t.step(name, () => {
      const { allows } = read(text);
      for (const [path, expected] of Object.entries(paths)) {
        assertEquals(allows(`https://example.com${path}`), expected, path);
      }
    });
  }

  await t.step("the delay and the sitemaps", () => {
    const robots = read(
      "Sitemap: https://example.com/a.xml\nUser-agent: *\nCrawl-delay: 2.5\nDisallow: /a\nsitemap: /b.xml\n" +
        "Sitemap: https://example.com/a.xml\nSitemap: http://[x\nUser-agent: other\nCrawl-delay: 9",
    );
    assertEquals(robots.crawlDelay, 2.5);
    assertEquals(robots.sitemaps, ["https://example.com/a.xml", "https://example.com/b.xml"]);
    assertEquals(read("User-agent: *\nCrawl-delay: soon").crawlDelay, null);
  });

  await t.step("the address of the file", () => {
    assertEquals(robotsAddress("https://example.com:8443/a/b?c#d"), "https://example.com:8443/robots.txt");
  });
});

Deno.test("without the file", () => {
  const failed = (status: number | null): FetchedAddress => {
    return { kind: "failed", reason: "", isTemporary: true, retryAfter: null, status };
  };
  const cases: [found: FetchedAddress, isAllowed: boolean][] = [
    [{ kind: "gone", status: 404 }, true],
    [{ kind: "gone", status: 410 }, true],
    [failed(302), true],
    [failed(401), true],
    [failed(403), true],
    [failed(429), false],
    [failed(500), false],
    [failed(503), false],
    [failed(null), false],
  ];
  for (const [found, isAllowed] of cases) {
    const robots = readRobots(found, { url, name: "HumanReader" });
    assertEquals(
      [robots.allows("https://example.com/a"), robots.isUnknown],
      [isAllowed, !isAllowed],
      JSON.stringify(found),
    );
  }
});

Deno.test("hostile rules", async (t) => {
  await t.step("patterns of stars", () => {
    const stars = "*a".repeat(990);
    const robots = read(`User-agent: *\n${`Disallow: /${stars}b\n`.repeat(250)}`);
    const start = performance.now();
    assert(robots.allows(`https://example.com/${"a".repeat(1_900)}`));
    assert(performance.now() - start < 2_000);
  });

  await t.step("many rules, and many pages", () => {
    const rules = Array.from({ length: 30_000 }, (_, number) => `Disallow: /private-${number}/*?sort=`);
    const groups = Array.from({ length: 6 }, (_, number) => rules.slice(5_000 * number, 5_000 * (number + 1)));
    const robots = read(groups.map((group) => `User-agent: *\n${group.join("\n")}`).join("\n\n"));
    const start = performance.now();
    for (let page = 0; page < 5_000; page++) assert(robots.allows(`https://example.com/shop/product-${page}`));
    assert(performance.now() - start < 3_000, `${performance.now() - start} ms`);
  });

  await t.step("rules that take too long for a list of pages allow no more of them", () => {
    const disallows = (pattern: string, count: number) => `User-agent: *\n${`Disallow: ${pattern}\n`.repeat(count)}`;
    const allowed = (robots: Robots, pages: number, name: string) =>
      Array.from({ length: pages }, (_, page) => robots.allows(`https://example.com/${name}${page}`));
    const costly = allowed(read(disallows(`/${"*a".repeat(40)}b7`, 4_900)), 20_000, "a".repeat(150));
    assertEquals([costly[0], costly.at(-1)], [true, false]);
    assert(allowed(read(disallows("/*?sort=", 50)), 50_000, "shop/product-").every(Boolean));
  });

  await t.step("a file without an end is read up to its limit", async () => {
    await using site = startHostileSite();
    const found = await fetchAddress(`${site.url}/endless-robots`, {
      allowsPrivate: true,
      signal: AbortSignal.timeout(20_000),
      maxBytes: mostRobotsBytes,
      cuts: true,
    });
    assert(found.kind === "content" && found.bytes.length === mostRobotsBytes);
    const start = performance.now();
    const robots = readRobots(found, { url: found.url, name: "HumanIntelligenceChat" });
    assert(robots.allows(`${site.url}/page`));
    assert(performance.now() - start < 2_000);
  });
});
