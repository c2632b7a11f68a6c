import { errors } from "../../base/errors.ts";
import type { Watched } from "../../core/watch/event.ts";
import type { EventReader } from "../../core/watch/event_reader.ts";

/** The seconds after which another stream may be tried: by then, some of the others have probably been closed. */
const retryAfter = 60;

/** @throws 429 when the caller has as many streams of events open as one may have. */
export function requireRoom(events: EventReader, watched: Watched): void {
  if (!events.hasRoom(watched)) throw errors.rateLimitExceeded(retryAfter);
}
