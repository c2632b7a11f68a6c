import { type EventSourceMessage, EventSourceParserStream } from "eventsource-parser/stream";
import type { components } from "./api_types.ts";
import { ServiceError } from "./service_error.ts";

type Schemas = components["schemas"];

/**
 * An answer as it is written: iterate over it once for its text, piece by piece.
 *
 * @example
 * for await (const text of answer) process.stdout.write(text);
 */
export interface Answer extends AsyncIterable<string> {
  /** The thread, to go on with. */
  readonly threadId: string;
  /** The message that it becomes. */
  readonly messageId: string;
  /** How it ended, once all of it was read. */
  readonly ending: Ending | null;
}

/** How an answer ended. */
export type Ending = Schemas["DoneEvent"] & { sources: Schemas["SourcesEvent"]; usage: Schemas["UsageEvent"] | null };

/** Asks for the rest of an answer after the event with an id, or from its beginning. */
export type Resume = (messageId: string, lastEventId: string | undefined) => Promise<Response>;

const maxResumptions = 3;

/**
 * Reads an answer from a reply of typed events. When the connection breaks, the rest is asked for over a new one, up to
 * three times: the service goes on writing meanwhile.
 *
 * @throws while it is read: a {@link ServiceError} when the answer has failed, what the connection failed with when it
 * cannot be resumed.
 */
export function readAnswer(response: Response, resume: Resume): Answer {
  const messageId = response.headers.get("X-Message-Id") ?? "";
  let ending: Ending | null = null;

  async function* read() {
    let sources: Ending["sources"] = [];
    let usage: Ending["usage"] = null;
    let lastEventId: string | undefined;
    for (let resumptions = 0, reply = response;; resumptions++) {
      let broken: unknown = new Error("The answer broke off");
      try {
        for await (const { event, id, data } of readEvents(reply)) {
          lastEventId = id ?? lastEventId;
          const value = JSON.parse(data);
          if (event === "delta") yield (value as Schemas["DeltaEvent"]).text;
          else if (event === "sources") sources = value;
          else if (event === "usage") usage = value;
          else if (event === "done") {
            ending = { ...value, sources, usage };
            return;
          } else if (event === "error") {
            throw new ServiceError(value.status, value, response.headers.get("X-Request-Id"));
          }
        }
      } catch (error) {
        if (error instanceof ServiceError) throw error;
        broken = error;
      }
      if (resumptions >= maxResumptions) throw broken;
      reply = await resume(messageId, lastEventId);
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

function readEvents({ body }: Response): AsyncIterable<EventSourceMessage> {
  if (body === null) throw new Error("The answer has no body");
  return body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
}
