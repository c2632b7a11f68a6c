import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { errors } from "../../base/errors.ts";
import { uuidPattern } from "../../core/wire/ids.ts";
import type { UpdateThreadInput } from "./schemas.ts";

/**
 * Renames, pins or archives a thread, which keeps its place in the list. Returns it as the JSON of the reply.
 *
 * @throws 404 if the caller has no such thread.
 */
export async function updateThread(
  { database, userId }: RequestContext,
  { threadId, ...change }: UpdateThreadInput,
): Promise<Uint8Array<ArrayBuffer>> {
  const thread = uuidPattern.test(threadId) ? await store.updateThread(database, { threadId, userId }, change) : null;
  if (thread === null) throw errors.threadNotFound();
  return thread;
}
