import * as store from "./store.ts";
import type { z } from "zod/mini";
import type { RequestContext } from "../../core/context.ts";
import { errors } from "../../base/errors.ts";
import type { ThreadWithState } from "../threads/replies.ts";
import { uuidPattern } from "../../core/wire/ids.ts";
import type { TakeOverInput } from "./schemas.ts";

/**
 * Starts or extends a takeover of a thread. An answer that the model is writing there ends; if it has no text yet, its
 * question waits for the expert.
 *
 * @throws 403 for anyone else, 404 if the caller's account has no such thread.
 */
export async function takeOver(
  { database, userId }: RequestContext,
  { threadId }: TakeOverInput,
): Promise<z.infer<typeof ThreadWithState>> {
  if (!uuidPattern.test(threadId)) throw errors.threadNotFound();
  return (await store.takeOver(database, { threadId, userId })).thread;
}
