import * as z from "zod/mini";
import { defineEndpoint } from "../../http/endpoint.ts";
import { ask, type ClientAnswer, findConversationId, readUser } from "./ask.ts";
import {
  ChatCompletion,
  chatMessage,
  common,
  type CompletionUsage,
  errorsOfTurns,
  type FinishReason,
  format,
  headers,
  limit,
  maxBytes,
  only,
  readTaskHeader,
  streams,
} from "./fields.ts";
import { readMessages } from "./read_conversation.ts";
import { answerTask, isTask, readFormat, requireText, type TaskAnswer } from "./tasks.ts";
import type { Context as HonoContext } from "hono";
import type { ApiError } from "../../infra/errors.ts";
import type { Ending } from "../../core/answers/answer.ts";
import type { AnswerSink } from "../../features/chat/answer_sinks.ts";
import type { AppEnv } from "../../http/app_env.ts";
import type { EventStream } from "../../http/event_stream.ts";
import { countTokens } from "./describe_response.ts";
import { citeUrls, listFootnotes } from "./citations.ts";
import { OpenaiError } from "./openai_error.ts";
import { isRefusalAfterText, type ObjectSink, sendAnswer } from "./send_answer.ts";

/** Answers the last message of a chat, as the coach, or carries out a task of the application. */
export const operation = defineEndpoint({
  name: "createChatCompletion",
  method: "POST",
  path: "/openai/v1/chat/completions",
  headers,
  body: "application/json",
  maxBytes,
  scope: "chat",
  failure: "Failed to answer the message",
  errors: errorsOfTurns,
  input: z.object({
    ...common,
    messages: z.array(chatMessage, "messages must be a list of messages").check(
      z.minLength(1, "messages must not be empty"),
      z.describe("The conversation so far. The last message of the user is the question"),
    ),
    stream_options: z.nullish(
      z.looseObject({ include_usage: streams("stream_options.include_usage") }, "stream_options must be an object"),
    ),
    max_tokens: limit("max_tokens"),
    max_completion_tokens: limit("max_completion_tokens"),
    n: only(z.number("n must be a number"), (n) => n === 1, "n must be 1: a persona gives one answer"),
    response_format: format("response_format"),
    function_call: z.nullish(
      z.enum(["auto", "none"], "function_call must be auto or none: a persona calls no functions of the application"),
    ),
    modalities: only(
      z.array(z.string(), "modalities must be a list"),
      (modalities) => modalities.every((modality) => modality === "text"),
      "modalities must be text alone",
    ),
    audio: z.optional(z.null("audio is not supported")),
  }),
  output: ChatCompletion,
  async verb(ctx, input): Promise<Completion> {
    const { task, metadata, max_completion_tokens, max_tokens, response_format: format } = input;
    const form = { isStream: input.stream === true, includesUsage: input.stream_options?.include_usage === true };
    const conversation = readMessages(input.messages);
    const maxOutputTokens = max_completion_tokens ?? max_tokens ?? null;
    if (await isTask(ctx, { task, metadata, conversation })) {
      const asked = {
        model: input.model,
        conversation,
        format: readFormat(format, "response_format"),
        maxOutputTokens,
        userId: readUser(ctx, input),
      };
      return { ...form, answer: await answerTask(ctx, asked) };
    }
    requireText(format, "response_format");
    const conversationId = findConversationId(input);
    return {
      ...form,
      answer: await ask(ctx, input, conversation, { previousId: null, conversationId, maxOutputTokens }),
    };
  },
  readFields: readTaskHeader,
  reply: (c, completion) =>
    sendAnswer(c, {
      answer: completion.answer,
      param: "messages",
      createStreamSink: completion.isStream ? (events) => createChunkSink(events, completion, pageUrlOf(c)) : null,
      createObjectSink: () => createCompletionSink(completion, pageUrlOf(c)),
    }),
});

/** A completion that is about to be written. */
type Completion = {
  answer: ClientAnswer | TaskAnswer;
  isStream: boolean;
  /** True if the stream ends with the tokens that were used. */
  includesUsage: boolean;
};

function pageUrlOf(c: HonoContext<AppEnv>): string | null {
  return c.get("incoming").services.pageUrl;
}

/** The citations of a text, as completions have them. */
function annotate(text: string, { sources }: Ending, { answer: { model } }: Completion, pageUrl: string | null) {
  return citeUrls(text, sources, { coachId: model, pageUrl })
    .map((citation) => ({ type: "url_citation" as const, url_citation: citation }));
}

/** The fields that all chunks of a completion share. */
function identify({ answer: { head, model } }: Completion) {
  return { id: `chatcmpl-${head.messageId}`, created: Math.floor(Date.parse(head.createdAt) / 1000), model };
}

/** Writes chunks: the role with the first text, text, the reason of the end with citations, tokens, and `[DONE]`. */
function createChunkSink(events: EventStream, completion: Completion, pageUrl: string | null): AnswerSink {
  const { includesUsage } = completion;
  const { id, created, model } = identify(completion);
  // Written once: serializing each chunk as a whole took 13 % of the CPU of a turn of 300 (`npm run bench -- compare`).
  // JSON has no line breaks.
  const head = `data: ${JSON.stringify({ id, object: "chat.completion.chunk", created, model }).slice(0, -1)}`;
  const noUsage = includesUsage ? ',"usage":null' : "";
  const beforeDelta = `${head},"choices":[{"index":0,"delta":`;
  const afterDelta = (reason: FinishReason | null) =>
    `,"logprobs":null,"finish_reason":${JSON.stringify(reason)}}]${noUsage}}\n\n`;
  const [beforeText, afterText] = [`${beforeDelta}{"content":`, `}${afterDelta(null)}`];
  let hasBegun = false;
  let text = "";
  function begin(): string {
    if (hasBegun) return "";
    hasBegun = true;
    return `${beforeDelta}{"role":"assistant","content":""}${afterDelta(null)}`;
  }
  /** Sends one chunk for all that one read of the model's stream has brought: a chunk is much longer than most texts. */
  function send(pieces: string[]) {
    const piece = pieces.join("");
    events.send(begin() + beforeText + JSON.stringify(piece) + afterText);
    text += piece;
  }
  return {
    write: send,
    end(ending, failure) {
      const reason = findReason(ending, failure, text !== "");
      if (reason === null) {
        // Before that, the reply itself is the error.
        if (events.hasBegun()) events.send(`data: ${JSON.stringify(new OpenaiError(failure!))}\n\n`);
        return events.end(failure);
      }
      const tokens = countUsage(ending);
      const annotations = annotate(text, ending, completion, pageUrl);
      const delta = annotations.length === 0 ? "{}" : JSON.stringify({ annotations });
      const footnotes = listFootnotes(completion.answer, ending);
      if (footnotes !== "") send([footnotes]);
      const usage = includesUsage ? `${head},"choices":[],"usage":${JSON.stringify(tokens)}}\n\n` : "";
      events.send(`${begin()}${beforeDelta}${delta}${afterDelta(reason)}${usage}data: [DONE]\n\n`);
      events.end();
    },
    isOpen: events.isOpen,
  };
}

function createCompletionSink(completion: Completion, pageUrl: string | null): ObjectSink {
  const { promise: whole, resolve, reject } = Promise.withResolvers<ChatCompletion>();
  let text = "";
  return {
    write: (pieces) => void (text += pieces.join("")),
    end(ending, failure) {
      const reason = findReason(ending, failure, text !== "");
      if (reason === null) return reject(failure);
      const { id, created, model } = identify(completion);
      const content = text + listFootnotes(completion.answer, ending);
      resolve({
        id,
        object: "chat.completion",
        created,
        model,
        service_tier: "default",
        system_fingerprint: null,
        choices: [{
          index: 0,
          message: {
            role: "assistant",
            content,
            refusal: null,
            annotations: annotate(text, ending, completion, pageUrl),
          },
          logprobs: null,
          finish_reason: reason,
        }],
        usage: countUsage(ending),
      });
    },
    isOpen: () => true,
    whole,
  };
}

/** The reason for which an answer ended; null if it has failed. */
function findReason({ isCut }: Ending, failure: ApiError | undefined, hasText: boolean): FinishReason | null {
  if (failure !== undefined) return isRefusalAfterText(failure, hasText) ? "content_filter" : null;
  return isCut ? "length" : "stop";
}

function countUsage(ending: Ending): CompletionUsage {
  const { input, cached, output, reasoning } = countTokens(ending);
  return {
    prompt_tokens: input,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens: output,
    completion_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}
