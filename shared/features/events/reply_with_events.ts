import { createEventStream, eventStreamHeaders, formatEvent } from "../../http/event_stream.ts";
import type { Reply } from "../../http/route.ts";
import type { BegunWatch, RecordedEvent, Watched } from "../../core/watch/event.ts";

/** Something that is watched from now on. */
export type Watch = BegunWatch & {
  watched: Watched;
  /** When the reader was here before, and is to be given what has happened since; null: it was not. */
  after: number | null;
};

/** So much that a reader has not taken yet ends its stream. It finds the rest when it comes back. */
const maxUnread = 32;

/**
 * Replies with a stream of events. It ends cleanly after the time of a turn, well before the platform would end it, and
 * when what is watched is gone. Its reader comes back with the id of the last event.
 */
export const replyWithEvents: Reply<Watch> = (c, { watched, after, isLate, events: begun, ...watch }) => {
  const { events: reader, timeouts } = c.var.incoming.services;
  const stream = createEventStream(timeouts.quiet);
  const timer = setTimeout(() => stream.end(), timeouts.turn);
  /** When each event happened that is known and may be read again, by its id. */
  const known = new Map<number, number>();

  function note(events: (RecordedEvent | null)[], since: number): string {
    let text = "";
    for (const event of events) {
      if (event === null) text += formatPosition("missed", since);
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
  // A reader who loses the connection before what was missed comes back for it.
  const position = after === null || isLate || text === "" ? watch.since : after;
  stream.send(`retry: 1000\n${formatPosition(isLate ? "missed" : "watching", position)}${text}`);
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

/** An event that says where in time its reader is. */
function formatPosition(event: string, since: number): string {
  return formatEvent({ event, id: `${since}_0`, data: "{}" });
}
