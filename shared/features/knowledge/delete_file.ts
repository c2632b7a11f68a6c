import * as store from "./store.ts";
import { deadline } from "../../base/std/async.ts";
import type { RequestContext } from "../../core/context.ts";
import { describeError } from "../../infra/log.ts";
import { uuidPattern } from "../../core/wire/ids.ts";
import type { DeleteReply } from "./replies.ts";
import type { DeleteFileInput } from "./schemas.ts";
import { unindexPassages } from "./unindex_passages.ts";

/**
 * Deletes a file: its row and passages, then the stored object. Where Storage fails the next sweep removes the object.
 * What the search index has of the passages, which no search finds, is removed after the reply.
 *
 * @throws 403, 404 if the caller may not, or there is no such file.
 */
export async function deleteFile(
  { services, database, userId, log }: RequestContext,
  { coachId, fileId }: DeleteFileInput,
): Promise<DeleteReply> {
  // An invalid ID is looked up like an unknown one, because the coach and the caller's rights must be checked first.
  const id = uuidPattern.test(fileId) ? fileId : "00000000-0000-0000-0000-000000000000";
  const { storagePath } = await store.deleteFile(database, { coachId, userId }, id);
  const unindexing = unindexPassages(services.database, () => true);
  services.waitUntil(
    unindexing.catch((error) => log("warn", "passages_not_unindexed", { reason: describeError(error) })),
  );
  try {
    await deadline(services.files.remove([storagePath]), services.timeouts.removal);
  } catch (error) {
    log("warn", "object_not_removed", { reason: describeError(error) });
  }
  return { message: "File deleted successfully", fileId };
}
