import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { errors } from "../../base/errors.ts";
import { uuidPattern } from "../../core/wire/ids.ts";
import type { GetThreadInput } from "./schemas.ts";

/**
 * A thread with its state, as the JSON of the reply: for its user, and for the expert behind its coach.
 *
 * @throws 404 if the caller has no such thread.
 */
export async function getThread(
  { database, userId }: RequestContext,
  { threadId }: GetThreadInput,
): Promise<Uint8Array<ArrayBuffer>> {
  const thread = uuidPattern.test(threadId) ? await store.readThread(database, { threadId, userId }) : null;
  if (thread === null) throw errors.threadNotFound();
  return thread;
}
