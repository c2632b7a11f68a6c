import type { ApiError } from "../../infra/errors.ts";
import type { Ending } from "../../core/answers/answer.ts";
import type { AnswerSink } from "../../features/chat/answer_sinks.ts";
import type { Reply } from "../../http/endpoint.ts";
import { type EventStream, formatEvent } from "../../http/event_stream.ts";
import type { ClientAnswer } from "./ask.ts";
import {
  annotate,
  type Annotations,
  describeOutput,
  describeResponse,
  describeText,
  type ResponseInput,
} from "./describe_response.ts";
import type { Response } from "./fields.ts";
import { listFootnotes } from "./footnotes.ts";
import { OpenaiError } from "./openai_error.ts";
import { isRefusalAfterText, type ObjectSink, sendAnswer } from "./send_answer.ts";
import type { TaskAnswer } from "./tasks.ts";

/** A response that is about to be written. */
export type ResponseToCome = {
  answer: ClientAnswer | TaskAnswer;
  input: ResponseInput;
  /** Erases the turn; null if it is to be kept. */
  erase: (() => Promise<void>) | null;
};

/** Replies with a response: a stream of events, or one object. */
export const replyWithResponse: Reply<ResponseToCome> = (c, response) =>
  sendAnswer(c, {
    answer: response.answer,
    param: "input",
    createStreamSink: response.input.stream
      ? (events) => createResponseSink(events, response, c.get("incoming").services.pageUrl)
      : null,
    createObjectSink: () => createResponseObjectSink(response, c.get("incoming").services.pageUrl),
    afterwards: response.erase ?? undefined,
  });

/** The response as it is now. */
function describe({ answer, input }: ResponseToCome, now: {
  status: Response["status"];
  text: string | null;
  annotations?: Annotations;
  ending?: Ending;
  failure?: ApiError;
}): Response {
  const { head, head: { messageId, createdAt }, model } = answer;
  const error = now.failure ? new OpenaiError(now.failure).toJSON().error : null;
  // A task is never stored.
  const request = "threadId" in head ? input : { ...input, store: false };
  return describeResponse({ messageId, createdAt, model, ending: null, ...now, error }, request);
}

/**
 * Writes the events of a response, in the order that the official clients insist on, and no others: the first of them with
 * the first text, since before it the reply may still be an error.
 */
function createResponseSink(
  events: EventStream,
  response: ResponseToCome,
  pageUrl: string | null,
): AnswerSink {
  const { answer, answer: { head } } = response;
  const item = { item_id: `msg_${head.messageId}`, output_index: 0, content_index: 0 };
  let number = 0;
  let text = "";
  let hasBegun = false;
  const write = (type: string, fields: object) =>
    formatEvent({ event: type, data: JSON.stringify({ type, sequence_number: number++, ...fields }) });

  function begin(): string {
    if (hasBegun) return "";
    hasBegun = true;
    const begun = describe(response, { status: "in_progress", text: null });
    const message = { ...describeOutput({ ...head, status: "in_progress" }, ""), content: [] };
    return write("response.created", { response: begun }) +
      write("response.in_progress", { response: begun }) +
      write("response.output_item.added", { output_index: 0, item: message }) +
      write("response.content_part.added", { ...item, part: describeText("") });
  }
  function send(pieces: string[]) {
    const delta = pieces.join("");
    events.send(write("response.output_text.delta", { ...item, delta, logprobs: [] }));
    text += delta;
  }
  return {
    write(pieces) {
      if (!hasBegun) events.send(begin());
      send(pieces);
    },
    end(ending, failure) {
      const status = findStatus(ending, failure, text);
      // The reply itself is the error then.
      if (status === "failed" && !events.hasBegun()) return events.end(failure);
      if (!hasBegun) events.send(begin());
      const annotations = annotate(text, ending.sources, { coachId: answer.model, pageUrl });
      if (status !== "failed") {
        const footnotes = listFootnotes(answer, ending);
        if (footnotes !== "") send([footnotes]);
      }
      const failed = status === "failed" ? failure : undefined;
      const whole = describe(response, {
        status,
        text: failed && text === "" ? null : text,
        annotations,
        ending,
        failure: failed,
      });
      if (status === "failed") {
        // Some clients know one of these, some the other, and some only the error within.
        const { error } = new OpenaiError(failure!).toJSON();
        events.send(write("response.failed", { response: whole }) + write("error", { ...error, type: "error", error }));
        return events.end(failure);
      }
      const part = describeText(text, annotations);
      const added = annotations.map((annotation, annotation_index) =>
        write("response.output_text.annotation.added", { ...item, annotation_index, annotation })
      );
      events.send(
        added.join("") +
          write("response.output_text.done", { ...item, text, logprobs: [] }) +
          write("response.content_part.done", { ...item, part }) +
          write("response.output_item.done", { output_index: 0, item: whole.output[0] }) +
          write(status === "completed" ? "response.completed" : "response.incomplete", { response: whole }),
      );
      events.end();
    },
    isOpen: events.isOpen,
  };
}

/** Collects a response into one object. */
function createResponseObjectSink(response: ResponseToCome, pageUrl: string | null): ObjectSink {
  const { promise: whole, resolve, reject } = Promise.withResolvers<Response>();
  let text = "";
  return {
    write: (pieces) => void (text += pieces.join("")),
    end(ending, failure) {
      const status = findStatus(ending, failure, text);
      if (status === "failed") return reject(failure);
      const annotations = annotate(text, ending.sources, { coachId: response.answer.model, pageUrl });
      resolve(describe(response, { status, text: text + listFootnotes(response.answer, ending), annotations, ending }));
    },
    isOpen: () => true,
    whole,
  };
}

function findStatus(
  { status, isCut }: Ending,
  failure: ApiError | undefined,
  text: string,
): "completed" | "incomplete" | "cancelled" | "failed" {
  if (failure !== undefined) return isRefusalAfterText(failure, text !== "") ? "incomplete" : "failed";
  if (isCut) return "incomplete";
  return status === "stopped" ? "cancelled" : "completed";
}
