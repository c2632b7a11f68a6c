/** What a sitemap lists. */
export type Sitemap = {
  /** Its pages. `lastModified` is an ISO date, or null. */
  urls: { url: string; lastModified: string | null }[];
  /** Further sitemaps, if this is an index. */
  sitemaps: string[];
  /** False where it is cut, damaged or longer than the limits: pages may be missing from it. */
  isWhole: boolean;
};

/**
 * Reads a sitemap: XML, an index, plain text or a feed, gzip or not.
 *
 * @param options.url its address after redirects
 * @param options.isCut its bytes were cut when they were fetched
 * @param options.accepts the pages that are wanted, called with normalized addresses; by default all of the same host
 */
export function readSitemap(
  _bytes: Uint8Array,
  _options: { url: string; isCut?: boolean; maxUrls?: number; maxBytes?: number; accepts?: (url: string) => boolean },
): Promise<Sitemap> {
  throw new Error("Not written yet");
}
