import * as z from "zod/mini";
import { repeat } from "../../core/sweeps.ts";
import type { Database } from "../../infra/db/database.ts";

/**
 * Removes deleted passages from the search index, one batch at a time; searches already do not find them. At least one
 * batch is done, and more as long as `mayGoOn` allows. Passages of a coach whose index is being changed have to wait.
 *
 * @returns whether more of them can be removed
 */
export async function unindexPassages(database: Database, mayGoOn: () => boolean): Promise<boolean> {
  return await repeat(() => database.call("unindex_passages", {}, z.boolean()), mayGoOn);
}
