import * as z from "zod/mini";
import { delay } from "../../libs/base/std/async.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import { describeError, type Log } from "../../libs/base/log.ts";
import { FetchWork, pauseOf, type Pauses } from "./claimed_work.ts";
import { costs, createFetchServices, type FetcherServices, type FetchServices } from "./fetch_services.ts";
import { StorageError } from "../../infra/storage/file_store.ts";
import { readList } from "./read_list.ts";
import { type PageOutcome, readSourcePage } from "./read_source_page.ts";
import type { Handler } from "../../http/app_env.ts";
import { sweepOneByOne } from "../../core/sweeps.ts";
import { createWorkBudget } from "../../core/work_budget.ts";

/** `wait_ms`: the time until something may be due, if that is soon; null: nothing is. */
const TakenWork = replyObject({ work: z.nullable(FetchWork), wait_ms: z.nullable(z.number()) });

/** The lists and pages that are read at the same time: of different hosts, unless they are in the same network. */
const mostAtOnce = 4;

/** The time in milliseconds that lists and pages of a source take before the other sources of its account come first. */
const shareOfSource = 30_000;

/** Between two looks for work, in milliseconds: twice as long after each that finds none. */
const [shortestWait, longestWait] = [50, 3_000];

/** The limits of a sweep. */
export type SweepLimits = {
  log: Log;
  /** By the clock of `performance`. */
  endsAt: number;
  /** False if the isolate has used its CPU time. One page is read nevertheless, so that every sweep makes progress. */
  hasTime: () => boolean;
};

/** Reads what is due, also from hosts that soon can be asked. Calls for another sweep if needed. Never rejects. */
async function sweep(services: FetchServices, { log, endsAt, hasTime }: SweepLimits): Promise<void> {
  const running = new Set<Promise<void>>();
  const spent = new Map<string, number>();
  let taken = 0;
  /** A page that was tried before may end this worker: nothing else runs beside it. */
  let isRisky = false;
  let isIndexerCalled = false;
  let wait = shortestWait;
  const mayGoOn = () => performance.now() < endsAt && (taken === 0 || hasTime());

  function start(work: FetchWork): void {
    taken++;
    isRisky = work.attempt > 1;
    const startedAt = performance.now();
    const task = fetchWork(services, work, log).then(async (isStored) => {
      if (!isStored || isIndexerCalled) return;
      isIndexerCalled = true;
      // Immediately, because the rest may take long.
      await services.wakeIndexer(log);
    }).finally(() => {
      running.delete(task);
      isRisky = false;
      spent.set(work.sourceId, (spent.get(work.sourceId) ?? 0) + performance.now() - startedAt);
    });
    running.add(task);
  }

  let isLeft = false;
  try {
    while (true) {
      isLeft = !mayGoOn();
      if (isLeft || running.size === mostAtOnce || isRisky) {
        if (running.size === 0) break;
        await Promise.race(running);
        continue;
      }
      const { work, waitMs } = await services.database.call("take_fetching", {
        // If nothing else runs, it may be one that has ended workers before.
        is_alone: running.size === 0,
        slow_ids: [...spent].filter(([, ms]) => ms > shareOfSource).map(([id]) => id),
      }, TakenWork);
      if (work !== null) {
        wait = shortestWait;
        start(work);
        continue;
      }
      if (running.size === 0 && (waitMs === null || performance.now() + waitMs > endsAt)) break;
      await Promise.race([...running, delay(Math.max(waitMs ?? longestWait, wait))]);
      wait = Math.min(2 * wait, longestWait);
    }
  } catch (error) {
    log("error", "sweep_failed", { reason: describeError(error) });
  }
  await Promise.all(running);
  if (isIndexerCalled) await services.wakeIndexer(log);
  if (isLeft) await services.wakeFetcher(log);
}

/** Reads what is claimed, and saves the outcome. Never rejects. Returns whether a file is to be indexed. */
async function fetchWork(services: FetchServices, work: FetchWork, log: Log): Promise<boolean> {
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

/** `POST /fetcher`. Replies before the work. Created once an isolate, which has worked `spent` milliseconds so far. */
export function createPostSweep(services: FetcherServices, { spent }: { spent: number }): Handler {
  const budget = createWorkBudget({ limit: services.timeouts.fetching, spent });
  const charged = createFetchServices(services, budget);
  const lasts = services.timeouts.fetchSweep;
  const sweepOnce = sweepOneByOne({
    lasts,
    sweep: (at, log) => sweep(charged, { log, endsAt: at + lasts, hasTime: () => !budget.isSpent() }),
    handOver: charged.wakeFetcher,
  });
  return (c) => {
    budget.charge(costs.request);
    services.waitUntil(sweepOnce(c.var.log));
    return c.json({ message: "Fetching has started" }, 202);
  };
}
