import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { errors } from "../../base/errors.ts";
import { uuidPattern } from "../../core/wire/ids.ts";
import type { MarkThreadReadInput } from "./schemas.ts";

/**
 * Marks all messages of a thread as read. Returns the thread as the JSON of the reply.
 *
 * @throws 404 if the caller has no such thread.
 */
export async function markThreadRead(
  { database, userId }: RequestContext,
  { threadId }: MarkThreadReadInput,
): Promise<Uint8Array<ArrayBuffer>> {
  const thread = uuidPattern.test(threadId) ? await store.markRead(database, { threadId, userId }) : null;
  if (thread === null) throw errors.threadNotFound();
  return thread;
}
