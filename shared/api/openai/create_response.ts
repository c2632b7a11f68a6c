import { ApiError, errors } from "../../infra/errors.ts";
import { retry } from "../../libs/base/std/async.ts";
import type { RequestContext } from "../../core/context.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { ask, type ClientAnswer, findConversationId, readUser } from "./ask.ts";
import { deleteTurn } from "./delete_response.ts";
import {
  annotate,
  type Annotations,
  describeOutput,
  describeResponse,
  describeText,
  readResponseId,
  type ResponseInput,
  responseInput,
} from "./describe_response.ts";
import { errorsOfTurns, headers, maxBytes, readTaskHeader, Response } from "./fields.ts";
import { readInput } from "./read_conversation.ts";
import { answerTask, isTask, readFormat, requireText, type TaskAnswer } from "./tasks.ts";
import type { Ending } from "../../core/answers/answer.ts";
import type { AnswerSink } from "../../features/chat/answer_sinks.ts";
import { type EventStream, formatEvent } from "../../http/event_stream.ts";
import { listFootnotes } from "./citations.ts";
import { OpenaiError } from "./openai_error.ts";
import { isRefusalAfterText, type ObjectSink, sendAnswer } from "./send_answer.ts";

/** Answers the last message of an input, as the coach. 400 for two conversations, or one that cannot be known again. */
export const operation = defineEndpoint({
  name: "createResponse",
  method: "POST",
  path: "/openai/v1/responses",
  headers,
  body: "application/json",
  maxBytes,
  scope: "chat",
  failure: "Failed to answer the message",
  errors: () => [...errorsOfTurns(), errors.previousResponseNotFound()],
  input: responseInput,
  output: Response,
  async verb(ctx, input): Promise<ResponseToCome> {
    const { task, metadata, previous_response_id: previous, max_output_tokens } = input;
    const conversation = readInput(input.input, input.instructions ?? null);
    if (previous && input.conversation) {
      throw errors.invalidInput("previous_response_id and conversation cannot be sent together", "conversation");
    }
    if (await isTask(ctx, { task, metadata, conversation })) {
      const asked = {
        model: input.model,
        conversation,
        format: readFormat(input.text?.format, "text.format"),
        maxOutputTokens: max_output_tokens ?? null,
        userId: readUser(ctx, input),
      };
      return { answer: await answerTask(ctx, asked), input, erase: null };
    }
    requireText(input.text?.format, "text.format");
    const previousId = previous ? readResponseId(previous, errors.previousResponseNotFound) : conversation.previousId;
    const named = findConversationId(input);
    const own = (typeof input.conversation === "object" ? input.conversation?.id : input.conversation) || null;
    const answer = await ask(ctx, input, conversation, {
      previousId,
      conversationId: named ?? own,
      maxOutputTokens: max_output_tokens ?? null,
      mustBeKnown: named === null && own !== null,
      isUnkept: input.store === false,
    });
    return { answer, input, erase: input.store === false ? () => erase(ctx, answer) : null };
  },
  readFields: readTaskHeader,
  reply: (c, response) =>
    sendAnswer(c, {
      answer: response.answer,
      param: "input",
      createStreamSink: response.input.stream
        ? (events) => createResponseSink(events, response, c.get("incoming").services.pageUrl)
        : null,
      createObjectSink: () => createResponseObjectSink(response, c.get("incoming").services.pageUrl),
      afterwards: response.erase ?? undefined,
    }),
});

/** Deletes the turn of an answer that is not to be stored, unless it goes on in another request, which does so then. */
async function erase(
  { database, userId }: RequestContext,
  { head: { messageId }, runId }: ClientAnswer,
): Promise<void> {
  try {
    // Nobody asks for it again: where Postgres is away for a moment, the turn would stay.
    await retry(() => deleteTurn(database, { userId, messageId, runId }), {
      isRetriable: (error) => !(error instanceof ApiError),
      minTimeout: 200,
    });
  } catch (error) {
    // The conversation has gone on meanwhile, so its next turn may build on this one.
    if (!(error instanceof ApiError) || error.code !== "not_the_last_turn") throw error;
  }
}

/** A response that is about to be written. */
type ResponseToCome = {
  answer: ClientAnswer | TaskAnswer;
  input: ResponseInput;
  /** Erases the turn; null if it is to be kept. */
  erase: (() => Promise<void>) | null;
};

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
