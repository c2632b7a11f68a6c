import { describeError, type Log } from "../log.ts";
import type { Services } from "../services.ts";
import { indexFile } from "./index_file.ts";
import { IndexingWork } from "./schemas.ts";
import { createWorkBudget } from "./work_budget.ts";

/**
 * Does what is due: indexes files one after the other until the work that one request may do is used up, then calls for
 * another sweep, and removes objects that no file owns. Never rejects: what fails stays due.
 */
export async function sweep(services: Services, log: Log): Promise<void> {
  const budget = createWorkBudget(services.timeouts);
  try {
    const work = IndexingWork.parse(await services.database.call("take_indexing_work", {}));
    let { file } = work;
    while (file !== null) file = await indexFile(services, file, { budget, log });
    if (work.file !== null && budget.isSpent()) await services.wakeIndexer(log);
    // Last: the claim of the file runs since the work was taken.
    if (work.removals.length > 0) await removeObjects(services, work.removals, log);
  } catch (error) {
    log("error", "sweep_failed", { reason: describeError(error) });
  }
}

async function removeObjects({ database, files }: Services, paths: string[], log: Log): Promise<void> {
  try {
    await files.remove(paths);
    await database.call("forget_removals", { paths });
    log("info", "objects_removed", { objects: paths.length });
  } catch (error) {
    log("warn", "objects_not_removed", { objects: paths.length, reason: describeError(error) });
  }
}
