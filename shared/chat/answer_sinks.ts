import type { ApiError } from "../errors.ts";
import { type EventStream, formatEvents } from "../http/event_stream.ts";
import { type AnswerHead, type AnswerObject, describeAnswer, type Ending } from "./answer.ts";

/** Receives an answer as it arrives, then how it ended. */
export interface AnswerSink {
  /** The pieces of one network read. */
  write(pieces: string[]): void;
  /** Nothing follows. With a failure, what was written is not the whole. */
  end(ending: Ending, failure?: ApiError): void;
  /** Whether anybody still wants to have it. */
  isOpen(): boolean;
}

/** The `data:` lines of the interface, and nothing else. A failure breaks the stream off. */
export function createTextSink(events: EventStream): AnswerSink {
  return {
    write: (pieces) => events.send(formatEvents(pieces)),
    end: (_ending, failure) => events.end(failure),
    isOpen: events.isOpen,
  };
}

/**
 * The same, with the characters sent so far as the `id:` of each event, so that a reader can go on from there.
 *
 * @param after characters that the reader has
 */
export function createResumableSink(events: EventStream, after: number): AnswerSink {
  let sent = after;
  return {
    ...createTextSink(events),
    write(pieces) {
      events.send(pieces.map((piece) => `id: ${sent += countCharacters(piece)}\n${formatEvents([piece])}`).join(""));
    },
  };
}

/**
 * Typed events, whose data is JSON: `meta` at once, `delta` for each piece of text, and at the end `sources`, `usage`
 * where it is known, and `done`; or `error`. Ids are the characters sent so far.
 *
 * @param after characters that the reader has
 */
export function createTypedSink(events: EventStream, head: AnswerHead, after: number): AnswerSink {
  let sent = after;
  function send(...named: [name: string, data: unknown][]) {
    events.send(named.map(([name, data]) => `event: ${name}\nid: ${sent}\ndata: ${JSON.stringify(data)}\n\n`).join(""));
  }
  send(["meta", { thread_id: head.threadId, message_id: head.messageId, created_at: head.createdAt }]);
  return {
    write(pieces) {
      for (const text of pieces) {
        sent += countCharacters(text);
        send(["delta", { text }]);
      }
    },
    end({ status, response_id, input_tokens, output_tokens, sources }, failure) {
      if (failure) send(["error", { status: failure.status, ...failure.toJSON() }]);
      else {
        send(["sources", sources ?? []]);
        const isCounted = typeof input_tokens === "number" && typeof output_tokens === "number";
        if (isCounted) send(["usage", { input_tokens, output_tokens }]);
        send(["done", { status, response_id: response_id ?? null }]);
      }
      events.end();
    },
    isOpen: events.isOpen,
  };
}

/** The whole answer as one object, once it has ended; `whole` rejects with the failure. */
export function createObjectSink(head: AnswerHead): AnswerSink & { whole: Promise<AnswerObject> } {
  const { promise: whole, resolve, reject } = Promise.withResolvers<AnswerObject>();
  let content = "";
  return {
    write: (pieces) => void (content += pieces.join("")),
    end: (ending, failure) => failure ? reject(failure) : resolve(describeAnswer(head, content, ending)),
    isOpen: () => true,
    whole,
  };
}

/** As Postgres counts them: code points, not UTF-16 units. */
export function countCharacters(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff](?=[\udc00-\udfff])/g)?.length ?? 0);
}
