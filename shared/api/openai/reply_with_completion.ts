import type { Context as HonoContext } from "hono";
import type { ApiError } from "../../infra/errors.ts";
import type { Ending } from "../../core/answers/answer.ts";
import type { AnswerSink } from "../../features/chat/answer_sinks.ts";
import type { AppEnv } from "../../http/app_env.ts";
import type { Reply } from "../../http/endpoint.ts";
import type { EventStream } from "../../http/event_stream.ts";
import type { ClientAnswer } from "./ask.ts";
import { countTokens } from "./describe_response.ts";
import type { ChatCompletion, CompletionUsage, FinishReason } from "./fields.ts";
import { listFootnotes } from "./footnotes.ts";
import { OpenaiError } from "./openai_error.ts";
import { isRefusalAfterText, type ObjectSink, sendAnswer } from "./send_answer.ts";
import type { TaskAnswer } from "./tasks.ts";
import { citeUrls } from "./url_citations.ts";

/** A completion that is about to be written. */
export type Completion = {
  answer: ClientAnswer | TaskAnswer;
  isStream: boolean;
  /** True if the stream ends with the tokens that were used. */
  includesUsage: boolean;
};

/** Replies with a completion: a stream of chunks, or one object. */
export const replyWithCompletion: Reply<Completion> = (c, completion) =>
  sendAnswer(c, {
    answer: completion.answer,
    param: "messages",
    createStreamSink: completion.isStream ? (events) => createChunkSink(events, completion, pageUrlOf(c)) : null,
    createObjectSink: () => createCompletionSink(completion, pageUrlOf(c)),
  });

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

/**
 * Writes chunks: the role, which leaves with the first text, then text, the reason of the end with the citations, the
 * tokens if asked for, and `[DONE]`.
 */
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

/** Collects a completion into one object. */
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
