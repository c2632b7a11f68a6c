import type { FetchedAddress } from "./fetch_address.ts";

/** The rules of a site for programs that read it. */
export interface Robots {
  /** Returns whether the site allows to read an address. */
  allows(url: string): boolean;
  /** The seconds between two requests that the site asks for. */
  crawlDelay: number | null;
  sitemaps: string[];
  /** The rules could not be fetched: nothing may be read for now. */
  isUnknown: boolean;
}

/** The most bytes of a robots.txt that are read; the rest is ignored. For the option `maxBytes`, with `cuts`. */
export const mostRobotsBytes = 500_000;

const mostSitemaps = 100;
/** Rules beyond these cost time and never match. */
const mostRules = 5_000;
const longestPattern = 2_000;
/** The parts of rules that are looked for in all addresses of a site together, which takes half a second. */
const mostSteps = 3_000_000;

/** A pattern begins with the first part of its text, and `*` is between the others; `last` ends the path. */
type Rule = { length: number; first: string; parts: string[]; last: string; isAnchored: boolean; isAllowed: boolean };
type Group = { names: string[]; rules: Rule[]; crawlDelay: number | null };

/** The address of the robots.txt that holds for an address. */
export function robotsAddress(url: string): string {
  return new URL("/robots.txt", url).href;
}

/**
 * Reads the rules from the outcome of fetching {@link robotsAddress}, as RFC 9309 has it: without the file everything is
 * allowed, but nothing while the server fails. A server that asks for fewer requests counts as failing.
 *
 * @param options.name the program, as the file may name it
 */
export function readRobots(found: FetchedAddress, { url, name }: { url: string; name: string }): Robots {
  if (found.kind === "content") return parseRobots(new TextDecoder().decode(found.bytes), { url, name });
  const status = found.kind === "failed" ? found.status : null;
  const isMissing = found.kind === "gone" || (status !== null && status >= 300 && status < 500 && status !== 429);
  return { allows: () => isMissing, crawlDelay: null, sitemaps: [], isUnknown: !isMissing };
}

function parseRobots(text: string, { url, name }: { url: string; name: string }): Robots {
  const groups: Group[] = [];
  const sitemaps = new Set<string>();
  let isNaming = false;
  for (const [, field = "", raw = ""] of text.matchAll(/^\uFEFF?[ \t]*([a-z-]+)[ \t]*:([^\r\n#]*)/gim)) {
    const key = field.toLowerCase();
    const value = raw.trim();
    const group = groups.at(-1);
    if (key === "user-agent") {
      // Only the name counts, not its version.
      const agent = /^(?:\*|[a-z_-]+)/i.exec(value)?.[0].toLowerCase() ?? "";
      if (isNaming && group) group.names.push(agent);
      else groups.push({ names: [agent], rules: [], crawlDelay: null });
      isNaming = true;
    } else if (key === "sitemap") {
      if (sitemaps.size < mostSitemaps && URL.canParse(value, url)) sitemaps.add(new URL(value, url).href);
    } else if (group && (key === "allow" || key === "disallow")) {
      isNaming = false;
      const isUsed = value !== "" && value.length <= longestPattern && group.rules.length < mostRules;
      if (isUsed) group.rules.push(readRule(normalizeEscapes(value), key === "allow"));
    } else if (group && key === "crawl-delay") {
      isNaming = false;
      if (/^\d+(?:\.\d+)?$/.test(value)) group.crawlDelay = Number(value);
    }
  }
  const named = groups.filter(({ names }) => names.includes(name.toLowerCase()));
  const used = named.length > 0 ? named : groups.filter(({ names }) => names.includes("*"));
  // The longest pattern decides, and of two that are as long the one that allows.
  const rules = used.flatMap((group) => group.rules).slice(0, mostRules)
    .toSorted((a, b) => b.length - a.length || Number(b.isAllowed) - Number(a.isAllowed));
  const budget = { steps: mostSteps };
  return {
    // Rules that take too long to follow allow nothing more.
    allows(address) {
      const { pathname, search } = new URL(address);
      if (pathname === "/robots.txt") return true;
      const path = normalizeEscapes(pathname + search);
      const decisive = rules.find((rule) => budget.steps < 0 || matches(rule, path, budget));
      return budget.steps >= 0 && (decisive?.isAllowed ?? true);
    },
    crawlDelay: used.map((group) => group.crawlDelay).find((delay) => delay !== null) ?? null,
    sitemaps: [...sitemaps],
    isUnknown: false,
  };
}

/** One spelling of a path: the same characters escaped, in upper case. */
function normalizeEscapes(path: string): string {
  return encodeURI(path.toWellFormed()).replace(/%25([0-9a-f]{2})/gi, "%$1").replace(
    /%[0-9a-f]{2}/gi,
    (escape) => {
      const character = String.fromCharCode(parseInt(escape.slice(1), 16));
      return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
    },
  );
}

/** Takes a pattern apart, once: `*` is any text, `$` at its end the end of the path. */
function readRule(pattern: string, isAllowed: boolean): Rule {
  const isAnchored = pattern.endsWith("$");
  const [first = "", ...parts] = (isAnchored ? pattern.slice(0, -1) : pattern).split("*");
  const last = isAnchored ? parts.pop() : undefined;
  return {
    length: pattern.length,
    first,
    parts,
    last: last ?? "",
    isAnchored: isAnchored && last === undefined,
    isAllowed,
  };
}

/** Returns whether a path begins as a rule says. Each part is looked for only once, from the end of the part before. */
function matches({ first, parts, last, isAnchored }: Rule, path: string, budget: { steps: number }): boolean {
  if (!path.startsWith(first)) return false;
  if (isAnchored) return path.length === first.length;
  let at = first.length;
  for (const part of parts) {
    budget.steps--;
    const start = path.indexOf(part, at);
    if (start === -1) return false;
    at = start + part.length;
  }
  return path.length - at >= last.length && path.endsWith(last);
}
