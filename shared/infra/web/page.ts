/** A page of the web, without what surrounds its content. */
export type Page = {
  title: string;
  /** The main content; empty if there is none. Its headings keep their levels. */
  markdown: string;
  /** The pages that it links to, with normalized addresses, each once. */
  links: string[];
  /** The address that the page itself names as its own, normalized. */
  canonical: string | null;
  /** The page asks search engines not to list it. */
  isUnlisted: boolean;
};

/** A page that cannot be read. `message` is a sentence for the expert, without its full stop. */
export class UnreadablePage extends Error {
  override name = "UnreadablePage";
}

/**
 * Reads a page.
 *
 * @param options.url its address after redirects
 * @throws {UnreadablePage}
 */
export function readPage(
  _html: Uint8Array,
  _options: { url: string; contentType: string; charset?: string | null },
): Promise<Page> {
  throw new Error("Not written yet");
}
