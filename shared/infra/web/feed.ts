/** A feed: RSS, Atom or JSON Feed. */
export type Feed = {
  title: string | null;
  /** Newest first, with normalized addresses. */
  entries: { url: string; title: string | null; updatedAt: string | null }[];
  /** False where it is cut or damaged: entries may be missing from it. */
  isWhole: boolean;
};

/**
 * Reads a feed; null if it is none.
 *
 * @param options.url its address after redirects
 */
export function readFeed(
  _bytes: Uint8Array,
  _options: { url: string; contentType: string; charset: string | null; maxEntries?: number },
): Promise<Feed | null> {
  throw new Error("Not written yet");
}
