import * as store from "../../core/watch/store.ts";
import type { RequestContext } from "../../core/context.ts";
import { errors } from "../../base/errors.ts";
import { uuidPattern } from "../../core/wire/ids.ts";
import { requireRoom } from "./require_room.ts";
import type { Watch } from "./reply_with_events.ts";
import type { WatchThreadInput } from "./schemas.ts";

/**
 * Begins to watch a thread, for its user and for the expert behind its coach.
 *
 * @throws 429 if the caller has too many streams open; 404 if the caller has no such thread.
 */
export async function watchThread(
  { database, admission, services, userId }: RequestContext,
  { threadId, lastEventId, after: firstEventId }: WatchThreadInput,
): Promise<Watch> {
  const after = lastEventId ?? firstEventId ?? null;
  if (!uuidPattern.test(threadId)) throw errors.threadNotFound();
  const begun = await store.watchThread(database, { threadId, userId, after });
  const { accountId, keyId } = await admission.require();
  const watched = { accountId, keyId, userId, threadId };
  requireRoom(services.events, watched);
  return { ...begun, after, watched };
}
