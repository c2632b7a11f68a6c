import type * as z from "zod/mini";
import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { uuidPattern } from "../../core/wire/ids.ts";
import type { DeletedSource } from "./replies.ts";
import type { SourceInput } from "./schemas.ts";

/**
 * Deletes a source with the files of its pages. No search finds them any more; the indexer, which is called, removes
 * their objects and what the search index has of them.
 *
 * @throws 403, 404 if the caller may not, or there is no such source.
 */
export async function deleteSource(
  { services, database, userId, log }: RequestContext,
  { coachId, sourceId }: SourceInput,
): Promise<z.infer<typeof DeletedSource>> {
  const id = uuidPattern.test(sourceId) ? sourceId : null;
  await store.deleteSource(database, { coachId, sourceId: id, userId });
  services.waitUntil(services.wakeIndexer(log));
  return { message: "Source deleted successfully", sourceId };
}
