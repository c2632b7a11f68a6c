import * as z from "zod/mini";
import type { Database } from "../../infra/db/database.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import { sourceKinds } from "../sources/fields.ts";

/** A list or a page that this worker has claimed. */
const FetchWork = replyObject({
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

/** `wait_ms`: the time until something may be due, if that is soon; null: nothing is. */
const TakenWork = replyObject({ work: z.nullable(FetchWork), wait_ms: z.nullable(z.number()) });
export type TakenWork = z.infer<typeof TakenWork>;

const BegunPage = replyObject({
  is_claimed: z.boolean(),
  upload_id: z.nullable(z.string()),
  path: z.nullable(z.string()),
});

/**
 * Claims a list or a page. `isAlone`: nothing else runs, so that it may be one that has ended workers before; `slowIds`:
 * sources before which the others of their account come.
 */
export async function takeFetching(
  database: Database,
  { isAlone, slowIds }: { isAlone: boolean; slowIds: string[] },
): Promise<TakenWork> {
  return await database.call("take_fetching", { is_alone: isAlone, slow_ids: slowIds }, TakenWork);
}

/** The pages that a source lists. */
export type SourceList = {
  /** In the order of the list; null: it could not be read. */
  urls: string[] | null;
  /** False: pages may be missing from it. */
  isWhole: boolean;
  followsLinks: boolean;
  reason: string | null;
  /** It can be tried again soon. */
  isTemporary: boolean;
};

/** Begins to read the pages of a source. */
export async function saveSourceList(
  database: Database,
  { sourceId, claim }: FetchWork,
  list: SourceList,
  pause: number,
): Promise<boolean> {
  return await database.call("save_source_list", {
    source_id: sourceId,
    claim,
    urls: list.urls,
    is_whole: list.isWhole,
    follows_links: list.followsLinks,
    reason: list.reason,
    is_temporary: list.isTemporary,
    pause_ms: pause,
  }, z.boolean());
}

/** Announces the upload of a page's file. Without a path, it is stored already. */
export async function beginPage(
  database: Database,
  { sourceId, url, claim }: PageWork,
  { name, digest }: { name: string; digest: string },
): Promise<z.infer<typeof BegunPage>> {
  return await database.call("begin_page", { source_id: sourceId, url, claim, name, digest }, BegunPage);
}

/** The file that a page has become. */
export type StoredPage = {
  name: string;
  size: number;
  contentType: string;
  category: string;
  digest: string;
  /** Null: nothing had to be uploaded. */
  uploadId: string | null;
};

/** The outcome of asking for a page. */
export type PageOutcome =
  | {
    kind: "read";
    /** The reason why it was not read to its end; null: it was. */
    reason: string | null;
    etag: string | null;
    lastModified: string | null;
    links: string[];
    file: StoredPage;
  }
  | { kind: "unchanged" }
  | { kind: "missing"; reason: string }
  | { kind: "failed"; reason: string; isTemporary: boolean };

/** Saves the outcome. False: the page is not this worker's any more. */
export async function savePage(
  database: Database,
  { sourceId, url, claim }: PageWork,
  outcome: PageOutcome,
  pause: number,
): Promise<boolean> {
  return await database.call("save_page", {
    source_id: sourceId,
    url,
    claim,
    outcome: toColumns(outcome),
    pause_ms: pause,
  }, z.boolean());
}

function toColumns(outcome: PageOutcome) {
  switch (outcome.kind) {
    case "read": {
      const { contentType, uploadId, ...file } = outcome.file;
      return {
        kind: "read",
        reason: outcome.reason,
        etag: outcome.etag,
        last_modified: outcome.lastModified,
        links: outcome.links,
        file: { ...file, content_type: contentType, upload_id: uploadId },
      };
    }
    case "failed":
      return { kind: "failed", reason: outcome.reason, is_temporary: outcome.isTemporary };
    default:
      return outcome;
  }
}
