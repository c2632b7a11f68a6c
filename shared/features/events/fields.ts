import * as z from "zod/mini";
import { Timestamp } from "../../core/wire/fields.ts";

/** Events in threads and with coaches. */
const eventKinds = [
  "message.begun",
  "message.completed",
  "feedback.up",
  "feedback.down",
  "feedback.removed",
  "takeover.begun",
  "takeover.released",
  "takeover.expired",
  "thread.needs_expert",
  "question.opened",
  "question.closed",
  "request.opened",
  "request.seen",
  "request.answered",
  "request.withdrawn",
  "thread.changed",
  "typing.user",
  "typing.expert",
] as const;

/** The name of an event in a stream. */
export const EventKind = z.enum(["watching", "missed", ...eventKinds]).check(
  z.describe(
    "`watching`: the first event of a stream; from here on, nothing is missed. `missed`: the same, but earlier " +
      "events were lost, so read the current state again. All others say what happened",
  ),
);

/** The data of an event: IDs, and the name of who is typing; never contents. */
export const EventData = z.object({
  thread_id: z.optional(z.string()),
  message_id: z.optional(z.string()),
  question_id: z.optional(z.string()).check(z.describe("The open question that the event is about")),
  name: z.optional(z.string()).check(
    z.describe("Of `typing.expert`: the name that people see of the expert who is typing"),
  ),
  at: z.optional(Timestamp),
  updated_at: z.optional(Timestamp).check(
    z.describe("Of the first event of a thread's stream, as the next two: what `getThread` says at that moment"),
  ),
  active_message_id: z.optional(z.string()),
  handled_by: z.optional(z.enum(["ai", "expert"])),
});

/** The time in an event's ID, in microseconds since 1970. With an invalid one, a reader has missed events. */
function eventId(name: string, description: string) {
  return z.optional(z.pipe(
    z.string(`${name} must be a string`),
    z.transform((id) => Number(/^(\d{1,16})_\d{1,19}$/.exec(id)?.[1] ?? 0)),
  )).check(z.describe(description));
}

/** Where a reader left off: the fields of an input. */
export const position = {
  lastEventId: eventId("Last-Event-ID", "The `id:` of the last event received, unchanged"),
  after: eventId(
    "after",
    "The same, for pages, which cannot send that header to another origin. The header takes precedence",
  ),
};
