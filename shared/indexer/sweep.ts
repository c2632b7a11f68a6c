import { pooledMap } from "deno-std/async/pool.js";
import { describeError, type Log } from "../log.ts";
import type { CoreServices } from "../core_services.ts";
import { indexFile } from "./index_file.ts";
import type { OpenDocuments } from "./open_documents.ts";
import { IndexingWork } from "./schemas.ts";

/** What a sweep may do, and what is left from the one before it. */
export type SweepOptions = {
  /** Whether it may go on after a batch. One is always done, so that work goes on wherever it is sent. */
  mayGoOn: () => boolean;
  /** Breaks off reading from Storage and the calls of models. */
  signal: AbortSignal;
  documents: OpenDocuments;
  log: Log;
};

/**
 * Does what is due: indexes files one after the other for as long as it may, then calls for another sweep, and removes
 * what no row owns: objects in Storage and responses at the model's backend. Never rejects: what fails stays due.
 */
export async function sweep(services: CoreServices, options: SweepOptions): Promise<void> {
  const { mayGoOn, documents, log } = options;
  try {
    const work = IndexingWork.parse(await services.database.call("take_indexing_work", {}));
    let { file } = work;
    if (file === null) await documents.close();
    while (file !== null) file = await indexFile(services, file, options);
    const isCut = work.file !== null && !mayGoOn();
    if (isCut) await services.wakeIndexer(log);
    // Last: the claim of the file runs since the work was taken.
    if (work.removals.length > 0) await removeObjects(services, work.removals, log);
    const removed = await removeResponses(services, work.responses, log);
    // Unless the backend fails.
    if (work.has_more_responses && removed > 0 && !isCut) await services.wakeIndexer(log);
  } catch (error) {
    log("error", "sweep_failed", { reason: describeError(error) });
  }
}

async function removeObjects({ database, files }: CoreServices, paths: string[], log: Log): Promise<void> {
  try {
    await files.remove(paths);
    await database.call("end_object_removals", { paths });
    log("info", "objects_removed", { objects: paths.length });
  } catch (error) {
    log("warn", "objects_not_removed", { objects: paths.length, reason: describeError(error) });
  }
}

/** Deletes responses at the model's backend, and says how many are gone. What fails stays due. */
async function removeResponses({ database, model, timeouts }: CoreServices, ids: string[], log: Log): Promise<number> {
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
    await database.call("end_response_removals", { response_ids: removed });
    log("info", "responses_removed", { responses: removed.length });
  }
  return removed.length;
}
