import * as store from "../../core/watch/store.ts";
import type { RequestContext } from "../../core/context.ts";
import { requireCoachId } from "../../core/wire/ids.ts";
import { requireRoom } from "./require_room.ts";
import type { Watch } from "./reply_with_events.ts";
import type { WatchCoachInput } from "./schemas.ts";

/**
 * Begins to watch everything that happens with a coach, for the expert behind it.
 *
 * @throws 429 if the caller has too many streams open; 404 if the caller has no such coach; 403 if the caller is not its expert.
 */
export async function watchCoach(
  { database, admission, services, userId }: RequestContext,
  { lastEventId, after: firstEventId, ...input }: WatchCoachInput,
): Promise<Watch> {
  const coachId = requireCoachId(input.coachId);
  const after = lastEventId ?? firstEventId ?? null;
  const begun = await store.watchCoach(database, { coachId, userId, after });
  const { accountId, keyId } = await admission.require();
  const watched = { accountId, keyId, userId, coachId };
  requireRoom(services.events, watched);
  return { ...begun, after, watched };
}
