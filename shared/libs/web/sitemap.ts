import { Gunzip } from "fflate";
import { normalizeAddress } from "./normalize_address.ts";
import { readXml, type XmlElement } from "./read_xml.ts";

/** The contents of a sitemap. */
export type Sitemap = {
  /** Its pages, each once. `lastModified` is in ISO format, or null. */
  urls: { url: string; lastModified: string | null }[];
  /** Further sitemaps, if this is an index. */
  sitemaps: string[];
  /** False where it is cut, damaged or longer than the limits: pages may be missing from it. */
  isWhole: boolean;
};

/** The options of {@link readSitemap}. */
export type SitemapOptions = {
  /** The address of the sitemap after redirects. */
  url: string;
  /** Its bytes were cut when they were fetched. */
  isCut?: boolean;
  /** The most addresses that are read, those that are not accepted included. The limit of the protocol by default. */
  maxUrls?: number;
  /** The most bytes that are read, counted after decompression. */
  maxBytes?: number;
  /** Chooses pages by their normalized addresses; by default all of the same host. */
  accepts?: (url: string) => boolean;
};

const packedPiece = 2 * 1_024;
const plainPiece = 64 * 1_024;

/**
 * Reads a sitemap: XML, an index, plain text or a feed, in gzip or not. Relative addresses are left out, as the protocol
 * does not allow them. Never fails: what is no sitemap has no addresses and is not whole.
 */
export function readSitemap(
  bytes: Uint8Array,
  { url, isCut = false, maxUrls = 50_000, maxBytes = 20_000_000, accepts }: SitemapOptions,
): Sitemap {
  const pages = new Map<string, string | null>();
  const sitemaps = new Set<string>();
  const isAccepted = accepts ?? isOnHost(new URL(url).host);
  let addresses = 0;

  function add(location: string, modified: string | null): boolean {
    if (++addresses > maxUrls) return false;
    const page = normalizeAddress(location.trim());
    if (page !== null && isAccepted(page)) pages.set(page, readDate(modified));
    return true;
  }
  function addSitemap(location: string): boolean {
    if (++addresses > maxUrls) return false;
    const address = normalizeAddress(location.trim());
    if (address !== null) sitemaps.add(address);
    return true;
  }

  const texts = decode(unpack(bytes), maxBytes);
  const first = texts.next();
  const start = first.done ? "" : first.value;
  function* all() {
    yield start;
    yield* texts;
  }
  const isXml = /^\s*</.test(start);
  const isWhole = isXml ? readEntries(all(), { add, addSitemap }) : readLines(all(), add);
  return {
    urls: [...pages].map(([url, lastModified]) => ({ url, lastModified })),
    sitemaps: [...sitemaps],
    isWhole: isWhole && !isCut && !texts.isCut(),
  };
}

/** Of an entry: its address and its date, as its children name them. */
type Entry = { location: string; modified: string | null };

function readEntries(
  texts: Iterable<string>,
  { add, addSitemap }: {
    add: (location: string, modified: string | null) => boolean;
    addSitemap: (location: string) => boolean;
  },
): boolean {
  let root = "";
  let entry: Entry = { location: "", modified: null };
  const { isWhole } = readXml(texts, {
    open(element, parents) {
      if (parents.length === 0) root = element.name;
      if (isEntry(element)) entry = { location: "", modified: null };
    },
    close(element, parents) {
      const parent = parents.at(-1);
      if (isEntry(element)) {
        if (entry.location === "") return;
        return root === "sitemapindex" ? addSitemap(entry.location) : add(entry.location, entry.modified);
      }
      // An image or a video of a page has an address of its own, in another namespace.
      if (!parent || !isEntry(parent) || element.prefix !== parent.prefix) return;
      const { name, text, attributes } = element;
      if (name === "loc" || (name === "link" && root !== "feed")) entry.location ||= text;
      if (name === "link" && root === "feed" && isAlternate(attributes)) entry.location ||= attributes.href ?? "";
      if (["lastmod", "updated", "pubdate"].includes(name)) entry.modified = text;
    },
  });
  return isWhole && ["urlset", "sitemapindex", "rss", "feed", "rdf"].includes(root);
}

function isEntry({ name }: XmlElement): boolean {
  return name === "url" || name === "sitemap" || name === "item" || name === "entry";
}

function isAlternate({ rel = "alternate" }: Record<string, string>): boolean {
  return rel === "alternate";
}

/** One address a line. */
function readLines(texts: Iterable<string>, add: (location: string, modified: null) => boolean): boolean {
  let rest = "";
  for (const text of texts) {
    const lines = (rest + text).split(/\r\n|\r|\n/);
    rest = lines.pop()!;
    for (const line of lines) if (line.trim() !== "" && !add(line, null)) return false;
    // A line that does not end is no list.
    if (rest.length > plainPiece) return false;
  }
  return rest.trim() === "" || add(rest, null);
}

/** Unpacks gzip, by its first bytes; anything else stays as it is. In small pieces, as each may unpack to a thousand times its size. */
function* unpack(bytes: Uint8Array): Generator<Uint8Array, boolean> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) {
    for (let at = 0; at < bytes.length; at += plainPiece) yield bytes.subarray(at, at + plainPiece);
    return true;
  }
  const unpacked: Uint8Array[] = [];
  const gunzip = new Gunzip((chunk) => void unpacked.push(chunk));
  for (let at = 0; at < bytes.length; at += packedPiece) {
    try {
      gunzip.push(bytes.subarray(at, at + packedPiece), at + packedPiece >= bytes.length);
    } catch {
      // It is damaged, or ends too early.
      yield* unpacked;
      return false;
    }
    yield* unpacked.splice(0);
  }
  return true;
}

/** The text of some bytes, up to a limit. */
function decode(pieces: Generator<Uint8Array, boolean>, maxBytes: number): Generator<string> & { isCut(): boolean } {
  let isCut = false;
  function* read(): Generator<string> {
    const decoder = new TextDecoder();
    let size = 0;
    while (true) {
      const { done, value } = pieces.next();
      if (done) {
        isCut = value === false;
        return;
      }
      isCut = size + value.length > maxBytes;
      yield decoder.decode(value.subarray(0, maxBytes - size), { stream: true });
      size += value.length;
      if (isCut) return;
    }
  }
  return Object.assign(read(), { isCut: () => isCut });
}

function isOnHost(host: string): (url: string) => boolean {
  return (url) => new URL(url).host === host;
}

function readDate(text: string | null): string | null {
  const time = text === null ? NaN : Date.parse(text.trim());
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
