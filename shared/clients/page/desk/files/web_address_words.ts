import type { Schemas } from "../desk.ts";

type Source = Schemas["KnowledgeSource"];

/** The kinds of web addresses in words, each with what it means. */
export const kinds: Record<Source["kind"], [name: string, meaning: string]> = {
  page: ["One page", "Only the page at this address."],
  site: ["A website", "All pages below this address. They are found in its sitemap, or by following links."],
  feed: ["A feed", "The articles that an RSS, Atom or JSON feed lists."],
};

/** The times after which an address is read again, in words. */
export const refreshTimes: Record<Source["refresh"], string> = {
  never: "Only when I say so",
  daily: "Every day",
  weekly: "Every week",
};

/** The states of web addresses in words, each with its look. */
export const states: Record<Source["status"], [name: string, look: string]> = {
  queued: ["waiting", ""],
  reading: ["being read", ""],
  ready: ["ready", "ai"],
  failed: ["could not be read", "danger"],
};

/** Returns true if the service has not finished reading an address. */
export function isUnderWay({ status }: Source): boolean {
  return status === "queued" || status === "reading";
}
