import type { components } from "./api_types.ts";
import { readEvents } from "./read_events.ts";
import { ServiceError } from "./service_error.ts";

type Schemas = components["schemas"];

/** Something that has happened, or how much of it can be seen: ids, never contents. */
export type WatchedEvent = Schemas["EventData"] & { kind: Schemas["EventKind"] };

/** What watching needs. */
export type WatchOptions = {
  /** Asks for what happens after the event with an ID, or from now on. */
  open: (lastEventId: string | undefined) => Promise<Response>;
  /** Waits so many milliseconds; rejects when the caller has given up. */
  sleep: (milliseconds: number) => Promise<void>;
};

const firstPause = 1_000;
const longestPause = 30_000;

/**
 * Watches what happens, over as many connections as it takes, until the reader breaks off.
 *
 * @throws a {@link ServiceError} if the service refuses: what is watched does not exist any more, for example.
 */
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
      // What fails on the server, and limits, pass. Every other refusal is final.
      if (error instanceof ServiceError && error.status < 500 && error.status !== 429) throw error;
    }
    await sleep(Math.min(firstPause * 2 ** failures, longestPause));
  }
}
