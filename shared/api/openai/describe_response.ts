import type { Ending } from "../../core/answers/answer.ts";
import type { StoredAnswer } from "../../core/answers/stored_answer.ts";
import { citeUrls, hasFootnotes, listFootnotes, type PlaceOfReader } from "./citations.ts";
import * as z from "zod/mini";
import { common, content, format, limit, only, type OutputMessage, type Response } from "./fields.ts";
import { ApiError, errors } from "../../infra/errors.ts";
import type { RequestContext } from "../../core/context.ts";
import { requiredId } from "../../core/wire/fields.ts";
import { uuidPattern } from "../../core/wire/ids.ts";
import type { Reply } from "../../http/endpoint.ts";

/** An item of the input of the Responses API. */
const inputItem = z.looseObject({
  type: z.optional(z.string("type must be a string")),
  role: z.optional(z.string("role must be a string")),
  content: z.nullish(content),
});
export type InputItem = z.infer<typeof inputItem>;

/** Input of `createResponse`. */
export const responseInput = z.object({
  ...common,
  // Before the input, which a request with a prompt need not have.
  prompt: z.optional(z.null("prompt is not supported: the model has its own")),
  input: z.union([z.string(), z.array(inputItem)], "input must be a string or a list of items").check(
    z.describe("The question, or the conversation with the question as its last message"),
  ),
  instructions: z.nullish(z.string("instructions must be a string")),
  previous_response_id: z.nullish(z.string("previous_response_id must be a string")),
  conversation: z.nullish(
    z.union([z.string(), z.looseObject({ id: z.string() })], "conversation must be an ID, or an object with one"),
  ),
  store: z.nullish(z.boolean("store must be true or false")),
  max_output_tokens: limit("max_output_tokens"),
  background: only(
    z.boolean("background must be true or false"),
    (background) => !background,
    "background is not supported",
  ),
  text: z.nullish(z.looseObject({ format: format("text.format") }, "text must be an object")),
});
export type ResponseInput = z.infer<typeof responseInput>;

/** Tokens read and written, and what is part of them. */
type Tokens = { input: number; cached: number; output: number; reasoning: number };

/** The tokens of an answer, reported or estimated. One in the expert's own words has none: no model was asked. */
export function countTokens({ usage, author }: Ending): Tokens {
  if (!usage || author === "expert") return { input: 0, cached: 0, output: 0, reasoning: 0 };
  return {
    input: usage.freshInput + usage.cachedInput,
    cached: usage.cachedInput,
    output: usage.visibleOutput + usage.reasoning,
    reasoning: usage.reasoning,
  };
}

/** The answer, as a response describes it. */
type AnswerOfResponse = {
  messageId: string;
  createdAt: string;
  model: string;
  /** Null: there is no text yet. */
  text: string | null;
  status: Response["status"];
  annotations?: Annotations;
  /** The code and sentence of a failure; null without one. */
  error: { code: string; message: string } | null;
  /** Null while it is being written. */
  ending: Ending | null;
};

/** The citations of a text, as responses have them. */
export type Annotations = OutputMessage["content"][number]["annotations"];

/** The citations of an answer whose sources have an address. */
export function annotate(text: string, sources: Ending["sources"], reader: PlaceOfReader): Annotations {
  return citeUrls(text, sources, reader).map((citation) => ({ type: "url_citation", ...citation }));
}

/** The request of a response, as far as it is repeated; null for one that is read later. */
type RequestOfResponse = Pick<
  ResponseInput,
  "instructions" | "max_output_tokens" | "metadata" | "previous_response_id" | "store" | "text" | "tool_choice" | "user"
>;

/** A response in the form of OpenAI's API, with all the fields that its clients read. */
export function describeResponse(answer: AnswerOfResponse, request: RequestOfResponse | null): Response {
  const { messageId, createdAt, model, text, status, error, ending } = answer;
  const tokens = ending && countTokens(ending);
  return {
    id: `resp_${messageId}`,
    object: "response",
    created_at: Math.floor(Date.parse(createdAt) / 1000),
    // When an earlier one was completed is not stored.
    completed_at: status === "completed" && request !== null ? Math.floor(Date.now() / 1000) : null,
    status,
    background: false,
    error: error && { ...error, type: "server_error" },
    frequency_penalty: 0,
    incomplete_details: status === "incomplete"
      ? { reason: ending?.isCut ? "max_output_tokens" : "content_filter" }
      : null,
    instructions: request?.instructions ?? null,
    max_output_tokens: request?.max_output_tokens ?? null,
    max_tool_calls: null,
    metadata: request?.metadata ?? {},
    model,
    output: text === null ? [] : [describeOutput(answer, text)],
    parallel_tool_calls: true,
    presence_penalty: 0,
    previous_response_id: request?.previous_response_id ?? null,
    prompt_cache_key: null,
    reasoning: { effort: null, summary: null },
    safety_identifier: null,
    service_tier: "default",
    store: request?.store !== false,
    temperature: null,
    text: { format: request?.text?.format ?? { type: "text" } },
    tool_choice: request?.tool_choice === "none" ? "none" : "auto",
    tools: [],
    top_logprobs: 0,
    top_p: null,
    truncation: "disabled",
    usage: tokens && {
      input_tokens: tokens.input,
      input_tokens_details: { cached_tokens: tokens.cached, cache_write_tokens: 0 },
      output_tokens: tokens.output,
      output_tokens_details: { reasoning_tokens: tokens.reasoning },
      total_tokens: tokens.input + tokens.output,
    },
    user: typeof request?.user === "string" ? request.user : null,
  };
}

/** The message with an answer's text. */
export function describeOutput(
  { messageId, status, annotations }: Pick<AnswerOfResponse, "messageId" | "status" | "annotations">,
  text: string,
): OutputMessage {
  const isWhole = status === "completed";
  return {
    id: `msg_${messageId}`,
    type: "message",
    status: isWhole ? "completed" : status === "in_progress" ? "in_progress" : "incomplete",
    role: "assistant",
    content: [describeText(text, annotations)],
  };
}

/** A text of a message. */
export function describeText(text: string, annotations: Annotations = []): OutputMessage["content"][number] {
  return { type: "output_text", text, annotations, logprobs: [] };
}

const statuses: Record<StoredAnswer["status"], Response["status"]> = {
  waiting: "in_progress",
  streaming: "in_progress",
  complete: "completed",
  stopped: "cancelled",
  failed: "failed",
};

/** A stored answer as a response. Its text is the one that the reply to its question had. */
function describeStored(
  stored: StoredAnswer,
  { model, pageUrl, hasFootnotes }: { model: string; pageUrl: string | null; hasFootnotes: () => boolean },
): Response {
  const { messageId, createdAt, status, content, errorCode, sources } = stored;
  const hasEnded = status === "complete" || status === "stopped";
  return describeResponse({
    messageId,
    createdAt,
    model,
    text: content === "" ? null : content + (hasEnded ? listFootnotes({ hasFootnotes }, stored) : ""),
    status: statuses[status],
    annotations: hasEnded ? annotate(content, sources, { coachId: model, pageUrl }) : [],
    error: status === "failed" ? { code: errorCode ?? "answer_failed", message: "The answer failed" } : null,
    ending: hasEnded ? stored : null,
  }, null);
}

/** The input of operations on a stored response. */
export const storedInput = z.object({
  responseId: requiredId("responseId", "`id` of a response"),
  stream: z.optional(z.literal("false", "stream must be false")),
});

/** A stored response, with where it is stored. */
type StoredResponse = { response: Response; threadId: string; messageId: string };

/** Replies with a stored response, and names its thread as the reply to its question did. */
export const replyWithStored: Reply<StoredResponse> = (c, { response, threadId, messageId }) => {
  c.header("X-Thread-Id", threadId);
  c.header("X-Message-Id", messageId);
  return c.json(response);
};

/** The ID of the answer of a response. */
export function readResponseId(responseId: string, toError: () => ApiError = errors.responseNotFound): string {
  const id = responseId.startsWith("resp_") ? responseId.slice("resp_".length) : "";
  if (!uuidPattern.test(id)) throw toError();
  return id;
}

const ThreadOfAnswer = z.object({ coach_id: z.string() });

/** The response of an answer. @throws 404 if `find` does, or its thread is gone. */
export async function findStored(
  { admission, database, userId, services: { pageUrl } }: RequestContext,
  find: () => Promise<StoredAnswer>,
): Promise<StoredResponse> {
  const answer = await orNotFound(find);
  const { threadId, messageId } = answer;
  const columns = { thread_id: threadId, user_id: userId };
  const thread = await database.call("read_thread", columns, z.nullable(ThreadOfAnswer));
  if (thread === null) throw errors.responseNotFound();
  const { coach_id: model } = thread;
  const response = describeStored(answer, { model, pageUrl, hasFootnotes: () => hasFootnotes(admission) });
  return { response, threadId, messageId };
}

async function orNotFound<Result>(find: () => Promise<Result>): Promise<Result> {
  try {
    return await find();
  } catch (error) {
    throw error instanceof ApiError && error.code === "message_not_found" ? errors.responseNotFound() : error;
  }
}
