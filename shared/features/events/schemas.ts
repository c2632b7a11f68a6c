import * as z from "zod/mini";
import { requiredId } from "../../core/wire/fields.ts";

/**
 * The time in the ID of an event, in microseconds since 1970. A reader with an invalid ID is not refused, but told that
 * it has missed events.
 */
function eventId(name: string, description: string) {
  return z.optional(z.pipe(
    z.string(`${name} must be a string`),
    z.transform((id) => Number(/^(\d{1,16})_\d{1,19}$/.exec(id)?.[1] ?? 0)),
  )).check(z.describe(description));
}

const position = {
  lastEventId: eventId("Last-Event-ID", "The `id:` of the last event received, unchanged"),
  after: eventId(
    "after",
    "The same, for pages, which cannot send that header to another origin. The header takes precedence",
  ),
};

/** Input of `watchThread`. */
export const WatchThreadInput = z.object({
  threadId: requiredId("threadId", "The thread to watch"),
  ...position,
});
export type WatchThreadInput = z.infer<typeof WatchThreadInput>;

/** Input of `watchCoach`. */
export const WatchCoachInput = z.object({
  coachId: requiredId("coachId", "The coach to watch"),
  ...position,
});
export type WatchCoachInput = z.infer<typeof WatchCoachInput>;
