import { decodeText } from "./charset.ts";
import { normalizeAddress } from "./normalize_address.ts";
import { readXml } from "./read_xml.ts";
import { fieldsOf, readJson } from "../base/fields_of.ts";

/** An entry of a feed. `updatedAt` is in ISO format. */
export type FeedEntry = { url: string; title: string | null; updatedAt: string | null };

/** A feed: RSS, Atom or JSON Feed. */
export type Feed = {
  title: string | null;
  /** Newest first, with normalized addresses, each once. Those without a date keep their order, at the end. */
  entries: FeedEntry[];
  /** False where it is cut or damaged: entries may be missing from it. */
  isWhole: boolean;
};

/** The options of {@link readFeed}. */
export type FeedOptions = {
  /** The address of the feed after redirects. */
  url: string;
  charset: string | null;
  /** Its bytes were cut when they were fetched. */
  isCut?: boolean;
  maxEntries?: number;
};

/** Reads RSS 0.9 to 2.0, Atom or JSON Feed, whatever type the server names; null if it is none. */
export async function readFeed(
  bytes: Uint8Array,
  { url, charset, isCut = false, maxEntries = 1_000 }: FeedOptions,
): Promise<Feed | null> {
  const text = await decodeText(bytes, { charset });
  const feed = /^\s*\{/.test(text) ? readJsonFeed(text, { url, maxEntries }) : readXmlFeed(text, { url, maxEntries });
  return feed && { ...feed, entries: sortEntries(feed.entries), isWhole: feed.isWhole && !isCut };
}

type Limits = { url: string; maxEntries: number };

function readXmlFeed(text: string, { url, maxEntries }: Limits): Feed | null {
  let root = "";
  let title: string | null = null;
  let base = url;
  const entries: FeedEntry[] = [];
  const emptyEntry = () => ({ link: "", permalink: "", title: "", date: "", changed: "" });
  let entry = emptyEntry();

  const { isWhole } = readXml([text], {
    open({ name, attributes, prefix }, parents) {
      if (parents.length === 0) root = name;
      if (parents.length === 0 && !["rss", "feed", "rdf"].includes(root)) return false;
      if (parents.length <= 1 && attributes["xml:base"]) base = resolve(attributes["xml:base"], url);
      const isEntry = name === "item" || name === "entry";
      if (isEntry) entry = emptyEntry();
      if (isEntry && attributes["rdf:about"]) entry.permalink = attributes["rdf:about"];
      if (parents.at(-1)?.name === "entry" && name === "link" && prefix === parents.at(-1)!.prefix) {
        const { rel = "alternate", href = "", "xml:base": ownBase } = attributes;
        if (rel === "alternate") entry.link ||= ownBase ? resolve(href, resolve(ownBase, base)) : href;
      }
    },
    close({ name, text, prefix, attributes }, parents) {
      const parent = parents.at(-1);
      if (name === "item" || name === "entry") {
        const link = (entry.link || entry.permalink).trim();
        const address = link === "" ? null : normalizeAddress(link, base);
        const updatedAt = readDate(entry.changed) ?? readDate(entry.date);
        if (address !== null) entries.push({ url: address, title: plain(entry.title), updatedAt });
        return entries.length < maxEntries;
      }
      if (parent?.name === "channel" || parent?.name === "feed") {
        if (name === "title" && prefix === parent.prefix) title ??= plain(text);
      }
      if (parent?.name !== "item" && parent?.name !== "entry") return;
      const isOwn = prefix === parent.prefix;
      if (name === "link" && isOwn && parent.name === "item") entry.link ||= text.trim();
      // Some feeds have Atom's links in RSS; a permanent id is an address, too.
      if (name === "guid" && attributes.isPermaLink !== "false" && /^https?:/i.test(text.trim())) {
        entry.permalink ||= text.trim();
      }
      if (name === "id" && /^https?:/i.test(text.trim())) entry.permalink ||= text.trim();
      if (name === "title" && isOwn) entry.title = text;
      if (name === "updated" || name === "modified") entry.changed = text;
      if (name === "pubdate" || name === "published" || name === "issued" || name === "date") entry.date ||= text;
    },
  });
  if (!["rss", "feed", "rdf"].includes(root)) return null;
  return { title, entries, isWhole };
}

function readJsonFeed(text: string, { url, maxEntries }: Limits): Feed | null {
  const feed = fieldsOf(readJson(text));
  if (typeof feed.version !== "string" || !feed.version.includes("jsonfeed.org") || !Array.isArray(feed.items)) {
    return null;
  }
  const entries = feed.items.slice(0, maxEntries).flatMap((item): FeedEntry[] => {
    const { url: own, id, title, date_modified, date_published } = fieldsOf(item);
    const link = typeof own === "string" ? own : typeof id === "string" && /^https?:/i.test(id) ? id : null;
    const address = link === null ? null : normalizeAddress(link, url);
    if (address === null) return [];
    return [{ url: address, title: plain(title), updatedAt: readDate(date_modified) ?? readDate(date_published) }];
  });
  return { title: plain(feed.title), entries, isWhole: feed.items.length <= maxEntries };
}

function sortEntries(entries: FeedEntry[]): FeedEntry[] {
  const seen = new Set<string>();
  return entries.toSorted((a, b) => (b.updatedAt ?? "").localeCompare(a.updatedAt ?? ""))
    .filter(({ url }) => !seen.has(url) && seen.add(url));
}

function resolve(address: string, base: string): string {
  return URL.canParse(address, base) ? new URL(address, base).href : base;
}

function readDate(value: unknown): string | null {
  const time = typeof value === "string" && value.length < 100 ? Date.parse(value.trim()) : NaN;
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

/** A title as text: some feeds have HTML in it. */
function plain(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const text = value.slice(0, 4_000).replace(/<[^<>]*>/g, "").replace(/\s+/g, " ").trim();
  return text === "" ? null : text.slice(0, 300);
}
