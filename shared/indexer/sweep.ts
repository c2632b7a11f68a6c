import { pooledMap } from "deno-std/async/pool.js";
import { describeError, type Log } from "../log.ts";
import { sortQuestions } from "../questions/sort_questions.ts";
import { unindexPassages } from "../knowledge/unindex_passages.ts";
import type { IndexerServices } from "./indexer_services.ts";
import { checkModels } from "./check_models.ts";
import { embedPhrases } from "./embed_phrases.ts";
import { indexFile, type SweepOptions } from "./index_file.ts";
import * as store from "./store.ts";

/**
 * Does what is due: indexes files one after the other for as long as it may, then calls for another sweep, takes
 * deleted passages out of the search index, makes threads quick to search, has the questions of pinned answers embedded,
 * removes objects in Storage and responses at the model's backend that belong to no row, sorts open questions, and
 * checks the models. Never rejects: what fails stays due.
 */
export async function sweep(services: IndexerServices, options: SweepOptions): Promise<void> {
  const { mayGoOn, documents, signal, log } = options;
  try {
    const work = await store.takeIndexingWork(services.database);
    if (work.hasWaitingTurns) options.answerWaiting();
    let { file } = work;
    if (file === null) await documents.close();
    while (file !== null) file = await indexFile(services, file, options);
    const isCut = work.file !== null && !mayGoOn();
    if (isCut) await services.wakeIndexer(log);
    // An indexed file may have replaced its passages.
    if (work.hasRemovedPassages || work.file !== null) {
      const hasMore = await unindexPassages(services.database, mayGoOn);
      if (hasMore && !isCut) await services.wakeIndexer(log);
    }
    if (work.hasUnsearchableThreads) {
      let hasMore: boolean;
      do hasMore = await store.indexThreads(services.database); while (hasMore && mayGoOn());
      if (hasMore && !isCut) await services.wakeIndexer(log);
    }
    if (await embedPhrases(services, work.phrases, options) && !isCut) await services.wakeIndexer(log);
    // After the file: its claim has been running since the work was taken.
    if (work.removals.length > 0) await removeObjects(services, work.removals, log);
    const removed = await removeResponses(services, work.responses, log);
    // Where none could be removed, the backend fails: another sweep would fail too.
    if (work.hasMoreResponses && removed > 0 && !isCut) await services.wakeIndexer(log);
    if (work.hasDueQuestions) {
      const hasMore = await sortQuestions(services, options);
      if (hasMore && !isCut) await services.wakeIndexer(log);
    }
    if (work.modelCheck !== null) await checkModels(services, work.modelCheck.coachModels, { signal, log });
  } catch (error) {
    log("error", "sweep_failed", { reason: describeError(error) });
  }
}

async function removeObjects({ database, files }: IndexerServices, paths: string[], log: Log): Promise<void> {
  try {
    await files.remove(paths);
    await store.endObjectRemovals(database, paths);
    log("info", "objects_removed", { objects: paths.length });
  } catch (error) {
    log("warn", "objects_not_removed", { objects: paths.length, reason: describeError(error) });
  }
}

/** Deletes responses at the model's backend, and says how many are gone. What fails stays due. */
async function removeResponses(
  { database, model, timeouts }: IndexerServices,
  ids: string[],
  log: Log,
): Promise<number> {
  const giveUp = AbortSignal.timeout(timeouts.responseRemovals);
  const failures: unknown[] = [];
  async function remove(id: string): Promise<string | null> {
    try {
      await model.remove(id, AbortSignal.any([giveUp, AbortSignal.timeout(timeouts.responseRemoval)]));
      return id;
    } catch (error) {
      failures.push(error);
      return null;
    }
  }
  const removed: string[] = [];
  for await (const id of pooledMap(8, ids, remove)) if (id !== null) removed.push(id);
  if (failures.length > 0) {
    log("warn", "responses_not_removed", { responses: failures.length, reason: describeError(failures[0]) });
  }
  if (removed.length > 0) {
    await store.endResponseRemovals(database, removed);
    log("info", "responses_removed", { responses: removed.length });
  }
  return removed.length;
}
