import { errors } from "../../infra/errors.ts";
import type { RequestContext } from "../../core/context.ts";
import type { BegunWatch } from "../../core/events/event_reader.ts";
import type { Watch } from "./reply_with_events.ts";

/** The seconds after which another stream may be tried: by then, some of the others have probably been closed. */
const retryAfter = 60;

/** The IDs of events that a reader sends. */
type Position = { lastEventId?: number; after?: number };

/** The time of the event that a reader has seen last, in microseconds since 1970; null: there is none. */
export function readPosition({ lastEventId, after }: Position): number | null {
  return lastEventId ?? after ?? null;
}

/**
 * The watch of a caller whom Postgres has let in.
 *
 * @throws 429 when the caller has as many streams of events open as one may have.
 */
export async function openWatch(
  { admission, services, userId }: RequestContext,
  what: { threadId: string } | { coachId: string },
  { after, ...begun }: BegunWatch & { after: number | null },
): Promise<Watch> {
  const { accountId, keyId } = await admission.require();
  const watched = { accountId, keyId, userId, ...what };
  if (!services.events.hasRoom(watched)) throw errors.rateLimitExceeded(retryAfter);
  return { ...begun, after, watched };
}
