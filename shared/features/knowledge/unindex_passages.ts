import * as z from "zod/mini";
import type { Database } from "../../infra/db/database.ts";

/**
 * Takes deleted passages out of the search index, a batch at a time; they are found no more already. At least one batch
 * is done, then others for as long as it may go on. Passages of a coach whose index is being changed have to wait.
 *
 * @returns whether more of them can be taken out.
 */
export async function unindexPassages(database: Database, mayGoOn: () => boolean): Promise<boolean> {
  let hasMore: boolean;
  do hasMore = await database.call("unindex_passages", {}, z.boolean()); while (hasMore && mayGoOn());
  return hasMore;
}
