import { type AnswerHead, type Ending, nameRun } from "../../core/answers/answer.ts";
import type { ApiError } from "../../infra/errors.ts";
import { type EventStream, formatEvent, formatEvents } from "../../http/event_stream.ts";
import { countCharacters } from "../../libs/base/text.ts";
import type { CountedUsage } from "../../libs/llm/usage_meter.ts";
import type { AnswerObject } from "./fields.ts";

/** Receives an answer as it arrives, then how it ended. */
export interface AnswerSink {
  /** The pieces of one network read. */
  write(pieces: string[]): void;
  /** Nothing follows. With a failure, the answer is not whole. */
  end(ending: Ending, failure?: ApiError): void;
  /** Returns false once the reader has disconnected. */
  isOpen(): boolean;
}

/** Writes only the interface's `data:` lines. A failure breaks the stream off. */
export function createTextSink(events: EventStream): AnswerSink {
  return {
    write: (pieces) => events.send(formatEvents(pieces)),
    end: (_ending, failure) => events.end(failure),
    isOpen: events.isOpen,
  };
}

/** The same, with the characters sent so far as the `id:` of each event. The reader has `after` characters already. */
export function createResumableSink(events: EventStream, head: AnswerHead, after: number): AnswerSink {
  const count = createCounter(after, nameRun(head));
  return {
    ...createTextSink(events),
    write: (pieces) => events.send(pieces.map((data) => formatEvent({ id: count(data), data })).join("")),
  };
}

/**
 * Writes typed events, whose data is JSON: `meta` immediately, `delta` for each piece of text, and at the end either
 * `sources`, `usage` if the model's server has reported it, and `done`, or `error`. IDs are the characters sent so far.
 *
 * @param after characters that the reader has
 */
export function createTypedSink(events: EventStream, head: AnswerHead, after: number): AnswerSink {
  const { threadId, messageId, createdAt } = head;
  const meta = { thread_id: threadId, message_id: messageId, created_at: createdAt };
  return createSinkAfter({ meta }, events, createCounter(after, nameRun(head)));
}

/** The same after events of another kind, each a name and its data. */
export function createSinkAfter(
  first: Record<string, unknown>,
  events: EventStream,
  count = createCounter(0, ""),
): AnswerSink {
  function format(event: string, data: unknown, id = count("")) {
    return formatEvent({ event, id, data: JSON.stringify(data) });
  }
  for (const [event, data] of Object.entries(first)) events.send(format(event, data));
  return {
    write: (pieces) => events.send(pieces.map((text) => format("delta", { text }, count(text))).join("")),
    end({ status, author = "ai", responseId, usage, sources, isPassedOn, isBudgeted, asksExpert }, failure) {
      if (failure) {
        events.send(format("error", { status: failure.status, code: failure.code, ...failure.toJSON() }));
      } else {
        events.send(format("sources", sources ?? []));
        if (usage && !usage.isEstimated) events.send(format("usage", describeUsage(usage)));
        events.send(format("done", {
          status,
          author,
          response_id: responseId ?? null,
          is_passed_on: isPassedOn || undefined,
          is_budgeted: isBudgeted || undefined,
          asks_expert: asksExpert ?? undefined,
        }));
      }
      events.end();
    },
    isOpen: events.isOpen,
  };
}

/** Collects an answer into one object: `whole` resolves or fails at its end. `left` aborts when the reader leaves. */
export function createObjectSink(head: AnswerHead, left?: AbortSignal): AnswerSink & { whole: Promise<AnswerObject> } {
  const { promise: whole, resolve, reject } = Promise.withResolvers<AnswerObject>();
  let content = "";
  return {
    write: (pieces) => void (content += pieces.join("")),
    end: (ending, failure) => failure ? reject(failure) : resolve(describeAnswer(head, content, ending)),
    isOpen: () => !left?.aborted,
    whole,
  };
}

/** Counts the characters sent, starting with `after`, and returns the ID of an event that ends there. */
function createCounter(after: number, run: string): (text: string) => string {
  let sent = after;
  return (text) => `${sent += countCharacters(text)}${run}`;
}

/** The tokens of an answer, as the event `usage` has them. */
function describeUsage(usage: CountedUsage) {
  return {
    input_tokens: usage.freshInput + usage.cachedInput,
    output_tokens: usage.visibleOutput + usage.reasoning,
  };
}

/** Puts a whole answer together. */
export function describeAnswer(
  { threadId, messageId, createdAt }: AnswerHead,
  content: string,
  { status, author = "ai", responseId, sources }: Ending,
): AnswerObject {
  return {
    thread_id: threadId,
    message: {
      id: messageId,
      thread_id: threadId,
      content,
      role: "assistant",
      response_id: responseId ?? null,
      created_at: createdAt,
    },
    sources: sources ?? [],
    status,
    author,
  };
}
