import { describeError, type Log } from "../../infra/log.ts";
import { StorageError } from "../../infra/storage/file_store.ts";
import type { FetchServices } from "./fetch_services.ts";
import { pauseOf, type Pauses } from "./pauses.ts";
import { readList } from "./read_list.ts";
import { readSourcePage } from "./read_source_page.ts";
import * as store from "./store.ts";

/**
 * Reads a list or a page that is claimed, and saves the outcome. Never rejects: without an outcome, the claim expires.
 *
 * @returns whether a file is to be indexed
 */
export async function fetchWork(services: FetchServices, work: store.FetchWork, log: Log): Promise<boolean> {
  const about = { source_id: work.sourceId, source_request_id: work.requestId, attempt: work.attempt };
  const pauses: Pauses = { crawlDelay: null, retryAfter: null };
  try {
    const { url } = work;
    if (url === null) {
      const list = await readList(services, work, pauses);
      await store.saveSourceList(services.database, work, list, pauseOf(work, pauses));
      log("info", "source_listed", { ...about, pages: list.urls?.length ?? null, is_whole: list.isWhole });
      return false;
    }
    const outcome = await readSourcePage(services, { ...work, url }, pauses).catch(toFailure);
    const isSaved = await store.savePage(services.database, { ...work, url }, outcome, pauseOf(work, pauses));
    log("info", "page_fetched", { ...about, outcome: outcome.kind, is_saved: isSaved });
    return isSaved && outcome.kind === "read" && outcome.file.uploadId !== null;
  } catch (error) {
    log("error", "fetching_failed", { ...about, reason: describeError(error) });
    return false;
  }

  function toFailure(error: unknown): store.PageOutcome {
    if (!(error instanceof StorageError)) throw error;
    log("warn", "page_not_stored", { ...about, reason: describeError(error) });
    return { kind: "failed", reason: "The text of the page could not be stored", isTemporary: true };
  }
}
