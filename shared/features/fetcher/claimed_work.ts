import * as z from "zod/mini";
import { replyObject } from "../../infra/db/reply_object.ts";
import { sourceKinds } from "../sources/fields.ts";

/** A list or a page that this worker has claimed. */
export const FetchWork = replyObject({
  claim: z.string(),
  source_id: z.string(),
  kind: z.enum(sourceKinds),
  /** The request that added the source. */
  request_id: z.nullable(z.string()),
  source_url: z.string(),
  page_limit: z.number(),
  follows_links: z.boolean(),
  /** The host has no name that the internet knows. */
  is_private: z.boolean(),
  /** Null: the list of the source's pages is to be read. */
  url: z.nullable(z.string()),
  attempt: z.number(),
  /** Of the reply that the page's file was made of; null if it has none. */
  etag: z.nullable(z.string()),
  last_modified: z.nullable(z.string()),
  /** The pages of the source, for its list. */
  known: z.array(z.string()),
});
export type FetchWork = z.infer<typeof FetchWork>;

/** A page that is to be read. */
export type PageWork = FetchWork & { url: string };

/** The milliseconds between two requests to a host on the internet. */
export const usualPause = 500;
/** A site may ask for longer pauses than usual, up to this. */
const longestPause = 10_000;
/** A server that is busy may ask for a longer break. */
const longestBreak = 60 * 60_000;

/** The pauses that a site has asked for, in seconds. */
export type Pauses = { crawlDelay: number | null; retryAfter: number | null };

/** The milliseconds until the host of a list or page may be asked again. */
export function pauseOf({ isPrivate }: FetchWork, { crawlDelay, retryAfter }: Pauses): number {
  const asked = retryAfter === null ? 0 : Math.min(retryAfter * 1_000, longestBreak);
  if (isPrivate) return asked;
  return Math.round(Math.max(asked, usualPause, Math.min((crawlDelay ?? 0) * 1_000, longestPause)));
}
