import type { Schemas } from "../desk.ts";
import { t } from "../texts.ts";

type Source = Schemas["KnowledgeSource"];

/** The kinds of web addresses in words, each with what it means. */
export const kinds: Record<Source["kind"], () => [name: string, meaning: string]> = {
  page: () => [t.files.kindPage, t.files.kindPageHint],
  site: () => [t.files.kindSite, t.files.kindSiteHint],
  feed: () => [t.files.kindFeed, t.files.kindFeedHint],
};

/** The times after which an address is read again, in words. */
export const refreshTimes: Record<Source["refresh"], () => string> = {
  never: () => t.files.never,
  daily: () => t.files.daily,
  weekly: () => t.files.weekly,
};

/** The states of web addresses in words, each with its look. */
export const states: Record<Source["status"], () => [name: string, look: string]> = {
  queued: () => [t.files.waitingTag, ""],
  reading: () => [t.files.beingRead, ""],
  ready: () => [t.files.readyTag, "ai"],
  failed: () => [t.files.unreadable, "danger"],
};

/** Returns true if the service has not finished reading an address. */
export function isUnderWay({ status }: Source): boolean {
  return status === "queued" || status === "reading";
}
