import * as z from "zod/mini";
import { describeError, type Log } from "../../libs/base/log.ts";
import { StorageError } from "../../infra/storage/file_store.ts";
import { type FetchWork, pauseOf, type Pauses } from "./claimed_work.ts";
import type { FetchServices } from "./fetch_services.ts";
import { readList } from "./read_list.ts";
import { type PageOutcome, readSourcePage } from "./read_source_page.ts";

/**
 * Reads a list or a page that is claimed, and saves the outcome. Never rejects: without an outcome, the claim expires.
 *
 * @returns whether a file is to be indexed
 */
export async function fetchWork(services: FetchServices, work: FetchWork, log: Log): Promise<boolean> {
  const about = { source_id: work.sourceId, source_request_id: work.requestId, attempt: work.attempt };
  const claim = { source_id: work.sourceId, claim: work.claim };
  const pauses: Pauses = { crawlDelay: null, retryAfter: null };
  try {
    const { url } = work;
    if (url === null) {
      const list = await readList(services, work, pauses);
      await services.database.call("save_source_list", {
        ...claim,
        urls: list.urls,
        is_whole: list.isWhole,
        follows_links: list.followsLinks,
        reason: list.reason,
        is_temporary: list.isTemporary,
        pause_ms: pauseOf(work, pauses),
      }, z.boolean());
      log("info", "source_listed", { ...about, pages: list.urls?.length ?? null, is_whole: list.isWhole });
      return false;
    }
    const outcome = await readSourcePage(services, { ...work, url }, pauses).catch(toFailure);
    // False: the page is not this worker's any more.
    const isSaved = await services.database.call("save_page", {
      ...claim,
      url,
      outcome: toColumns(outcome),
      pause_ms: pauseOf(work, pauses),
    }, z.boolean());
    log("info", "page_fetched", { ...about, outcome: outcome.kind, is_saved: isSaved });
    return isSaved && outcome.kind === "read" && outcome.file.uploadId !== null;
  } catch (error) {
    log("error", "fetching_failed", { ...about, reason: describeError(error) });
    return false;
  }

  function toFailure(error: unknown): PageOutcome {
    if (!(error instanceof StorageError)) throw error;
    log("warn", "page_not_stored", { ...about, reason: describeError(error) });
    return { kind: "failed", reason: "The text of the page could not be stored", isTemporary: true };
  }
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
