import type * as z from "zod/mini";
import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { errors } from "../../base/errors.ts";
import { uuidPattern } from "../../core/wire/ids.ts";
import type { DeletedThread } from "./replies.ts";
import type { DeleteThreadInput } from "./schemas.ts";

/**
 * Deletes a thread with all its messages. If an answer is being written in it, its run ends: it notices the deletion
 * when it saves the next text.
 *
 * @throws 404 if the caller has no such thread.
 */
export async function deleteThread(
  { database, userId }: RequestContext,
  { threadId }: DeleteThreadInput,
): Promise<z.infer<typeof DeletedThread>> {
  const isDeleted = uuidPattern.test(threadId) && await store.deleteThread(database, { threadId, userId });
  if (!isDeleted) throw errors.threadNotFound();
  return { message: "Thread deleted successfully", threadId };
}
