import type { FetchedAddress } from "../../libs/web/fetch_address.ts";
import { isBelow } from "../../libs/web/normalize_address.ts";
import type { Robots } from "../../libs/web/robots.ts";
import { lazy } from "../../libs/base/lazy.ts";
import { delay } from "../../libs/base/std/async.ts";
import { type FetchWork, type Pauses, usualPause } from "./claimed_work.ts";
import type { FetchServices } from "./fetch_services.ts";
import { maxPages } from "../sources/fields.ts";

const loadReadFeed = lazy(async () => (await import("../../libs/web/feed.ts")).readFeed);
const loadReadSitemap = lazy(async () => (await import("../../libs/web/sitemap.ts")).readSitemap);

/** The most bytes of a feed or sitemap, and the most sitemaps and addresses of a site. */
const mostBytes = 10_000_000;
const mostSitemaps = 50;
const mostAddresses = 50_000;
/** The most addresses that are looked at, those of other parts of the site included: 50,000 take 0.2 s of CPU time. */
const mostSeen = 200_000;

/** The time within which a list is read, in milliseconds: shorter than the claim. */
const longestList = 90_000;

/** The pages that a source lists. */
export type SourceList = {
  /** In the order of the list; null: it could not be read. */
  urls: string[] | null;
  /** False: pages may be missing from it. */
  isWhole: boolean;
  followsLinks: boolean;
  reason: string | null;
  /** It can be tried again soon. */
  isTemporary: boolean;
};

/** Reads the list of a source's pages. `pauses` are set to what the site asks for. */
export function readList(services: FetchServices, work: FetchWork, pauses: Pauses): Promise<SourceList> {
  const signal = AbortSignal.timeout(longestList);
  return work.kind === "feed"
    ? readFeedList(services, work, { pauses, signal })
    : readSite(services, work, { pauses, signal });
}

type Reading = { pauses: Pauses; signal: AbortSignal };

function fail(reason: string, isTemporary: boolean): SourceList {
  return { urls: null, isWhole: false, followsLinks: false, reason, isTemporary };
}

/** The reason why something is not there, and whether it may be later. */
function describeFailure(
  found: Exclude<FetchedAddress, { kind: "content" }>,
): { reason: string; isTemporary: boolean } {
  switch (found.kind) {
    case "gone":
      return { reason: `The page answered with status ${found.status}`, isTemporary: false };
    case "failed":
      return found;
    default:
      return { reason: "The page answered with status 304", isTemporary: true };
  }
}

async function readFeedList(
  services: FetchServices,
  work: FetchWork,
  { pauses, signal }: Reading,
): Promise<SourceList> {
  const found = await services.fetchWeb(work.sourceUrl, { signal, maxBytes: mostBytes });
  if (found.kind !== "content") {
    pauses.retryAfter = found.kind === "failed" ? found.retryAfter : null;
    const { reason, isTemporary } = describeFailure(found);
    return fail(`The feed could not be read: ${reason}`, isTemporary);
  }
  const readFeed = await loadReadFeed();
  const feed = await services.parse(() =>
    readFeed(found.bytes, { url: found.url, charset: found.charset, maxEntries: maxPages })
  );
  if (feed === null) return fail("There is no feed at this address", false);
  const urls = [...new Set(feed.entries.map(({ url }) => url))];
  return { urls, isWhole: feed.isWhole, followsLinks: false, reason: null, isTemporary: false };
}

async function readSite(services: FetchServices, work: FetchWork, reading: Reading): Promise<SourceList> {
  const { robots, failure } = await services.readRules(work.sourceUrl, reading.signal);
  reading.pauses.crawlDelay = robots.crawlDelay;
  if (failure !== null) return fail(failure.reason, failure.isTemporary);
  const sitemaps = await readSitemaps(services, work, robots, reading);
  const byLinks: SourceList = {
    urls: [work.sourceUrl],
    isWhole: true,
    followsLinks: true,
    reason: null,
    isTemporary: false,
  };
  // A site that has had a sitemap does not lose its pages while that is away.
  const hadSitemap = work.known.length > 0 && !work.followsLinks;
  if (sitemaps.urls === null) {
    if (hadSitemap || robots.sitemaps.length > 0 && sitemaps.failure !== null) {
      const { reason, isTemporary } = sitemaps.failure ?? { reason: "It is gone", isTemporary: false };
      return fail(`The sitemap could not be read: ${reason}`, isTemporary);
    }
    return byLinks;
  }
  if (sitemaps.urls.size === 0 && !hadSitemap) return byLinks;

  // Of those that are new, the first ones.
  const known = new Set(work.known);
  const urls = [...sitemaps.urls].filter((url, index) => known.has(url) || index < work.pageLimit);
  return { urls, isWhole: sitemaps.isWhole, followsLinks: false, reason: null, isTemporary: false };
}

/** `urls` is null if no sitemap could be read; `failure` says why, or is null where there is none. */
type Sitemaps = {
  urls: Set<string> | null;
  isWhole: boolean;
  failure: { reason: string; isTemporary: boolean } | null;
};

async function readSitemaps(
  services: FetchServices,
  work: FetchWork,
  robots: Robots,
  { pauses, signal }: Reading,
): Promise<Sitemaps> {
  const readSitemap = await loadReadSitemap();
  const named = robots.sitemaps.length > 0 ? robots.sitemaps : [new URL("/sitemap.xml", work.sourceUrl).href];
  const waiting = [...new Set(named)];
  const seen = new Set(waiting);
  const result: Sitemaps = { urls: null, isWhole: true, failure: null };
  let addresses = 0;
  for (let count = 0; waiting.length > 0; count++) {
    const address = waiting.shift()!;
    const isEnough = addresses >= mostSeen || (result.urls?.size ?? 0) >= mostAddresses;
    if (count >= mostSitemaps || signal.aborted || isEnough) {
      return { ...result, isWhole: false };
    }
    if (!work.isPrivate) await delay(usualPause);
    const found = await services.fetchWeb(address, { signal, maxBytes: mostBytes, cuts: true });
    if (found.kind !== "content") {
      result.isWhole = false;
      if (found.kind !== "gone") result.failure = describeFailure(found);
      if (found.kind === "failed" && found.retryAfter !== null) pauses.retryAfter = found.retryAfter;
      continue;
    }
    const sitemap = await services.parse(() =>
      readSitemap(found.bytes, {
        url: found.url,
        isCut: found.isCut,
        maxUrls: mostAddresses,
        accepts(url) {
          addresses++;
          return isBelow(work.sourceUrl, url) && robots.allows(url);
        },
      })
    );
    result.isWhole &&= sitemap.isWhole;
    result.urls ??= new Set();
    for (const { url } of sitemap.urls) result.urls.add(url);
    for (const further of sitemap.sitemaps) {
      if (seen.has(further)) continue;
      seen.add(further);
      waiting.push(further);
    }
  }
  return result;
}
