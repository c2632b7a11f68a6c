import type { FetchServices } from "../../shared/features/fetcher/fetch_services.ts";
import { readList } from "../../shared/features/fetcher/read_list.ts";
import { type FetchWork, pauseOf } from "../../shared/features/fetcher/claimed_work.ts";
import { readRobots } from "../../shared/libs/web/robots.ts";
import { assertEquals } from "../support/assert.ts";

const site = "https://shop.example";

const work: FetchWork = {
  claim: "",
  sourceId: "",
  kind: "site",
  requestId: null,
  sourceUrl: `${site}/help/`,
  pageLimit: 500,
  followsLinks: false,
  isPrivate: true,
  url: null,
  attempt: 1,
  etag: null,
  lastModified: null,
  known: [],
};

/** Services that find these texts. Asking for anything else ends a test. */
function servicesOf(texts: Record<string, string>) {
  const asked: string[] = [];
  const nothing = { isCut: false, charset: null, etag: null, lastModified: null };
  const services: Pick<FetchServices, "fetchWeb" | "readRules" | "parse"> = {
    fetchWeb(url) {
      asked.push(url.replace(site, ""));
      const bytes = new TextEncoder().encode(texts[url.replace(site, "")]);
      return Promise.resolve({ kind: "content", url, contentType: "", bytes, ...nothing });
    },
    readRules: (url) =>
      Promise.resolve({
        robots: readRobots({ kind: "gone", status: 404 }, { url, name: "HumanReader" }),
        isNew: false,
        failure: null,
      }),
    parse: async (parse) => await parse(),
  };
  return { services: services as FetchServices, asked };
}

Deno.test("of a site with very many pages elsewhere, no more is read than an isolate has time for", async () => {
  const parts = Array.from({ length: 20 }, (_, number) => `/part-${number}.txt`);
  const index = `<sitemapindex>${
    parts.map((part) => `<sitemap><loc>${site}${part}</loc></sitemap>`).join("")
  }</sitemapindex>`;
  const goods = Array.from({ length: 50_000 }, (_, number) => `${site}/goods/${number}`).join("\n");
  const texts = Object.fromEntries([["/sitemap.xml", index], ...parts.map((part) => [part, goods])]);

  const { services, asked } = servicesOf(texts);
  const list = await readList(services, work, { crawlDelay: null, retryAfter: null });
  assertEquals(asked, ["/sitemap.xml", ...parts.slice(0, 4)]);
  assertEquals(list, { urls: [work.sourceUrl], isWhole: true, followsLinks: true, reason: null, isTemporary: false });

  const some = servicesOf({ ...texts, "/part-1.txt": `${goods}\n${site}/goods/a\n`, "/part-0.txt": `${site}/help/a` });
  const found = await readList(some.services, work, { crawlDelay: null, retryAfter: null });
  assertEquals([found.urls, found.isWhole, found.followsLinks], [[`${site}/help/a`], false, false]);
});

Deno.test("a site is asked again after the pause that it wants, within bounds", () => {
  for (
    const [crawlDelay, retryAfter, pause] of [
      [null, null, 500],
      [0.1, null, 500],
      [2.5, null, 2_500],
      [3_600, null, 10_000],
      [null, 60, 60_000],
      [5, 2, 5_000],
      [null, 86_400, 3_600_000],
    ] as const
  ) {
    assertEquals(pauseOf({ ...work, isPrivate: false }, { crawlDelay, retryAfter }), pause);
  }
  assertEquals(pauseOf(work, { crawlDelay: 5, retryAfter: null }), 0, "on a machine of one's own");
});
