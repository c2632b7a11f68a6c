import * as store from "./store.ts";
import type { z } from "zod/mini";
import type { RequestContext } from "../../core/context.ts";
import { errors } from "../../base/errors.ts";
import type { ThreadWithState } from "../threads/replies.ts";
import { uuidPattern } from "../../core/wire/ids.ts";
import type { ReleaseThreadInput } from "./schemas.ts";

/**
 * Hands a thread back to the model. Questions that wait are answered by it in the background.
 *
 * @throws 403 for everybody but the expert, 404 if the caller's account has no such thread.
 */
export async function releaseThread(
  { database, userId, services, log }: RequestContext,
  { threadId }: ReleaseThreadInput,
): Promise<z.infer<typeof ThreadWithState>> {
  if (!uuidPattern.test(threadId)) throw errors.threadNotFound();
  const { thread, isWaiting } = await store.releaseThread(database, { threadId, userId });
  if (isWaiting) services.waitUntil(services.wakeIndexer(log));
  return thread;
}
