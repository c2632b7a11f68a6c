import type { components } from "./api_types.ts";
import { ServiceError } from "./service_error.ts";
import { type EventSourceMessage, EventSourceParserStream } from "eventsource-parser/stream";

type Schemas = components["schemas"];

/** Something that has happened, or how much of it can be seen: ids, never contents. */
export type WatchedEvent = Schemas["EventData"] & { kind: Schemas["EventKind"] };

/** The means to watch. */
export type WatchOptions = {
  /** Requests the events after the one with an ID, or from now on. */
  open: (lastEventId: string | undefined) => Promise<Response>;
  /** Waits for some milliseconds; rejects when the caller has stopped watching. */
  sleep: (milliseconds: number) => Promise<void>;
};

const firstPause = 1_000;
const longestPause = 30_000;

/** Yields events, over many connections, until the reader stops. @throws a {@link ServiceError} if refused */
export async function* watchEvents({ open, sleep }: WatchOptions): AsyncGenerator<WatchedEvent> {
  let lastEventId: string | undefined;
  for (let failures = 0;; failures++) {
    try {
      for await (const { event, id, data } of readEvents(await open(lastEventId))) {
        failures = 0;
        lastEventId = id ?? lastEventId;
        yield { kind: event as Schemas["EventKind"], ...JSON.parse(data) };
      }
    } catch (error) {
      // Server failures and rate limits are temporary. Every other refusal is final.
      if (error instanceof ServiceError && error.status < 500 && error.status !== 429) throw error;
    }
    await sleep(Math.min(firstPause * 2 ** failures, longestPause));
  }
}

/** The server-sent events of a reply. If the reader stops, the connection ends. */
export async function* readEvents({ body }: Response): AsyncGenerator<EventSourceMessage> {
  if (body === null) throw new Error("The reply has no body");
  // Not every browser can iterate over a stream.
  const reader = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()).getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
