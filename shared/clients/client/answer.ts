import type { components } from "./api_types.ts";
import { readEvents } from "./watch.ts";
import { ServiceError } from "./service_error.ts";

type Schemas = components["schemas"];

/**
 * An answer as it is written: iterate over it once for its text, piece by piece.
 *
 * @example
 * for await (const text of answer) process.stdout.write(text);
 */
export interface Answer extends AsyncIterable<string> {
  readonly threadId: string;
  readonly messageId: string;
  /** The ending, once all of the answer was read. */
  readonly ending: Ending | null;
}

/** The ending of an answer. */
export type Ending = Schemas["DoneEvent"] & { sources: Schemas["SourcesEvent"]; usage: Schemas["UsageEvent"] | null };

/** The means to read an answer when its connection breaks. */
export type ReadAnswerOptions = {
  /** Requests the rest of the answer after the event with an ID, or the whole answer. */
  resume: (messageId: string, lastEventId: string | undefined) => Promise<Response>;
  /** Waits for some milliseconds; rejects when the caller has abandoned the answer. */
  sleep: (milliseconds: number) => Promise<void>;
};

/** Together with the pauses, about half a minute: as long as a change of networks or a tunnel takes. */
const maxResumptions = 10;
const firstPause = 500;
const longestPause = 4_000;

/**
 * Reads an answer from a reply of typed events. If the connection breaks, the rest is read over a new one: up to ten
 * times in a row, with growing pauses, for about half a minute. The service continues to write in the meantime.
 *
 * @throws while it is read: a {@link ServiceError} when the answer has failed or was deleted, otherwise the error of
 * the last connection.
 */
export function readAnswer(response: Response, { resume, sleep }: ReadAnswerOptions): Answer {
  const messageId = response.headers.get("X-Message-Id") ?? "";
  let ending: Ending | null = null;

  async function* read() {
    let sources: Ending["sources"] = [];
    let usage: Ending["usage"] = null;
    let lastEventId: string | undefined;
    let failure: ServiceError | undefined;
    let reply: Response | null = response;
    for (let breaks = 0;; breaks++) {
      try {
        reply ??= await resume(messageId, lastEventId);
        for await (const { event, id, data } of readEvents(reply)) {
          lastEventId = id ?? lastEventId;
          const value = JSON.parse(data);
          if (event === "delta") {
            breaks = 0;
            yield (value as Schemas["DeltaEvent"]).text;
          } else if (event === "sources") sources = value;
          else if (event === "usage") usage = value;
          else if (event === "done") {
            ending = { ...value, sources, usage };
            return;
          } else if (event === "error") {
            failure = readFailure(value, reply, messageId);
            throw failure;
          }
        }
        throw new Error("The answer broke off");
      } catch (error) {
        // A 503 passes. Every other error of the service is final.
        const isFinal = error === failure || error instanceof ServiceError && error.status !== 503;
        if (isFinal || breaks >= maxResumptions) throw error;
        reply = null;
        await sleep(Math.min(firstPause * 2 ** breaks, longestPause));
      }
    }
  }
  const text = read();
  return {
    threadId: response.headers.get("X-Thread-Id") ?? "",
    messageId,
    get ending() {
      return ending;
    },
    [Symbol.asyncIterator]: () => text,
  };
}

function readFailure({ status, code, ...body }: Schemas["ErrorEvent"], { headers }: Response, messageId?: string) {
  return new ServiceError({ status, code, body, messageId, requestId: headers.get("X-Request-Id") });
}

/** An event of a question that is tried, in the order in which they come. */
export type TrialEvent =
  | { event: "found"; data: Schemas["FoundEvent"] }
  | { event: "delta"; data: Schemas["DeltaEvent"] }
  | { event: "sources"; data: Schemas["SourcesEvent"] }
  | { event: "usage"; data: Schemas["UsageEvent"] }
  | { event: "done"; data: Schemas["DoneEvent"] };

/** Reads the events of a question that is tried. @throws a {@link ServiceError} when it fails, or where it breaks off. */
export async function* readTrial(reply: Response): AsyncGenerator<TrialEvent> {
  for await (const { event, data } of readEvents(reply)) {
    const value = JSON.parse(data);
    if (event === "error") throw readFailure(value, reply);
    yield { event, data: value } as TrialEvent;
    if (event === "done") return;
  }
  throw new Error("The answer broke off");
}
