import { createEventStream, eventStreamHeaders, formatEvent } from "../../http/event_stream.ts";
import type { Reply } from "../../http/endpoint.ts";
import type { BegunWatch, RecordedEvent, Watched } from "../../core/events/event_reader.ts";
import { errors } from "../../infra/errors.ts";
import type { RequestContext } from "../../core/context.ts";

/** A watch that has begun. */
type Watch = BegunWatch & {
  watched: Watched;
  /** The position of a returning reader, who gets the events since then; null: a new reader. */
  after: number | null;
};

/** The number of unread events after which a stream ends. A slow reader gets the rest when it reconnects. */
const maxUnread = 32;

/**
 * Replies with a stream of events. It ends cleanly after the time limit of a turn, well before the platform would end
 * it, or when the thread or coach is deleted. The reader reconnects with the ID of the last event.
 */
export const replyWithEvents: Reply<Watch> = (c, { watched, after, isLate, events: begun, state, ...watch }) => {
  const { events: reader, timeouts } = c.var.incoming.services;
  const stream = createEventStream(timeouts.quiet);
  const timer = setTimeout(() => stream.end(), timeouts.turn);
  /** The events already sent, by ID, with the time of each: they may be read from Postgres again. */
  const known = new Map<number, number>();

  function note(events: (RecordedEvent | null)[], since: number): string {
    let text = "";
    for (const event of events) {
      if (event === null) text += formatPosition({ event: "missed", since });
      else if (!known.has(event.id)) {
        known.set(event.id, event.at);
        text += formatEvent({ event: event.kind, id: `${event.at}_${event.id}`, data: JSON.stringify(event.data) });
      }
    }
    for (const [id, at] of known) if (at <= since) known.delete(id);
    return text;
  }

  const earlier = note(begun, watch.since);
  const text = after === null ? "" : earlier;
  // A reader that loses the connection before it has these events will get them when it reconnects.
  const position = after === null || isLate || text === "" ? watch.since : after;
  stream.send(
    `retry: 1000\n${formatPosition({ event: isLate ? "missed" : "watching", since: position, state })}${text}`,
  );
  const unfollow = reader.follow({
    watched,
    since: watch.since,
    receive(events, since) {
      const text = note(events, since);
      if (text === "") return;
      stream.send(text);
      if (stream.unread() > maxUnread) stream.end(new Error("The reader is too slow"));
    },
    end: (error) => stream.end(error === undefined ? undefined : new Error("Events cannot be read", { cause: error })),
  });
  stream.closed.then(() => {
    clearTimeout(timer);
    unfollow();
  });
  return c.body(stream.stream, 200, eventStreamHeaders);
};

/** An event that contains the reader's position in time. */
function formatPosition(
  { event, since, state = {} }: { event: string; since: number; state?: Watch["state"] },
): string {
  return formatEvent({ event, id: `${since}_0`, data: JSON.stringify(state) });
}

/** The seconds after which another stream may be tried: by then, some of the others have probably been closed. */
const retryAfter = 60;

/** The IDs of events that a reader sends. */
type Position = { lastEventId?: number; after?: number };

/** The time of the event that a reader has seen last, in microseconds since 1970; null: there is none. */
export function readPosition({ lastEventId, after }: Position): number | null {
  return lastEventId ?? after ?? null;
}

/** The watch of a caller whom Postgres has let in. @throws 429 over the number of streams that one may have open */
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
