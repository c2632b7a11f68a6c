import type { FetchedAddress } from "./fetch_address.ts";

/** The rules of a site for programs that read it. */
export interface Robots {
  /** Whether the site allows to read an address. */
  allows(url: string): boolean;
  /** The seconds between two requests that the site asks for. */
  crawlDelay: number | null;
  /** The addresses of its sitemaps. */
  sitemaps: string[];
  /** The rules are not known, and nothing may be read for now. */
  isUnknown: boolean;
}

/** The most bytes of a robots.txt that are read; the rest is ignored. For the option `maxBytes`, with `cuts`. */
export const mostRobotsBytes = 500_000;

/** The address of the robots.txt that holds for an address. */
export function robotsAddress(url: string): string {
  return new URL("/robots.txt", url).href;
}

/** Reads the rules from the outcome of fetching {@link robotsAddress}. */
export function readRobots(_found: FetchedAddress, _options: { url: string; name: string }): Robots {
  throw new Error("Not written yet");
}
