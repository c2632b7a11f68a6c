import * as z from "zod/mini";
import { errors, failuresOfAnswers } from "../../infra/errors.ts";
import { requiredId } from "../../core/wire/fields.ts";
import { IdempotencyKey } from "../../core/wire/idempotency_key.ts";
import type { ReadFields } from "../../http/endpoint.ts";
import { maxOutputTokensBounds } from "../../libs/llm/model_settings.ts";

/** The most bytes of a body: clients send all of their conversation with every question. */
export const maxBytes = 4 * 1024 * 1024;

/**
 * Values that name nothing: a placeholder that was not replaced, and what LibreChat and Open WebUI call a conversation
 * that is new, or is not kept. The latter has one name for all such conversations of a browser.
 */
const nothing = /\{\{|^(?:new|PENDING|local:.*)$/;

/** An ID that a client sends, or nothing. */
function idField(description: string) {
  const clean = (value: string) => {
    const id = value.trim();
    return id === "" || nothing.test(id) ? undefined : id;
  };
  return z.optional(z.pipe(z.string(), z.transform(clean))).check(z.describe(description));
}

const conversation = "The client's own ID of the conversation. If no user is named, it must be a UUID";

/** The fields that clients send with a question, in headers. */
const headerFields = {
  threadId: idField("The thread to continue"),
  chatId: idField(conversation),
  openWebuiChatId: idField(conversation),
  conversationId: idField(conversation),
  openWebuiUserId: idField("The end user"),
  task: idField("Any value says that the request is not a person's but the application's own, such as one for a title"),
  retryCount: z.optional(
    z.pipe(z.string(), z.transform((count) => /^\d{1,3}$/.test(count) ? Number(count) : undefined)),
  ).check(
    z.describe("Sent by the official clients. Above 0, the answer to the same request of the last two minutes is sent"),
  ),
  idempotencyKey: IdempotencyKey.check(z.describe("As for `POST /chat`")),
};

/** The headers that have them. */
export const headers: Record<keyof typeof headerFields, string> = {
  threadId: "X-Thread-Id",
  chatId: "X-Chat-Id",
  openWebuiChatId: "X-OpenWebUI-Chat-Id",
  conversationId: "X-Conversation-Id",
  openWebuiUserId: "X-OpenWebUI-User-Id",
  task: "X-OpenWebUI-Task",
  retryCount: "X-Stainless-Retry-Count",
  idempotencyKey: "Idempotency-Key",
};

const taskHeader = /^x-(?:[a-z0-9]+-)?task$/;

/** Other interfaces may name their tasks in headers of their own. */
export const readTaskHeader: ReadFields = ({ req }) => {
  let fields = {};
  // Headers sort themselves for each step of a loop: 8 µs more a request with nine headers (the best of 60 rounds).
  req.raw.headers.forEach((value, name) => {
    if (taskHeader.test(name) && value.trim() !== "") fields = { task: value };
  });
  return fields;
};

export const modelId = requiredId("model", "The ID of a coach");

/** A value that is not supported, and would change the reply, is refused. Most other fields are ignored. */
export function only<Schema extends z.ZodMiniType>(
  schema: Schema,
  isSupported: (value: NonNullable<z.infer<Schema>>) => boolean,
  error: string,
) {
  return z.nullish(schema.check(z.refine((value) => isSupported(value as NonNullable<z.infer<Schema>>), error)));
}

/** A limit only lowers the coach's own, which is never higher than this. */
export const limit = (name: string) =>
  z.nullish(
    z.int(`${name} must be a whole number`).check(
      z.gte(1, `${name} must be at least 1`),
      z.overwrite((tokens) => Math.min(tokens, maxOutputTokensBounds.most)),
    ),
  );

const metadata = z.nullish(z.record(z.string(), z.unknown(), "metadata must be an object")).check(
  z.describe("`thread_id` names the conversation, `task` a request of the application itself, such as `title`"),
);

/** The name of a user that clients send. They send other things in its place, too, which name nobody. */
const user = z.optional(z.unknown()).check(z.describe("The end user: any text, as in `context.userId` of `/chat`"));

export const streams = (name: string) => z.nullish(z.boolean(`${name} must be true or false`));

/** The form of a reply. Other than text, only tasks may ask for one. */
export function format(name: string) {
  return z.nullish(z.looseObject({ type: z.string(`${name}.type must be a string`) }, `${name} must be an object`));
}

/** Fields that both APIs have. */
export const common = {
  ...headerFields,
  model: modelId,
  stream: streams("stream"),
  user,
  safety_identifier: user,
  metadata,
  tool_choice: z.nullish(
    z.enum(["auto", "none"], "tool_choice must be auto or none: a persona calls no tools of the application"),
  ),
};

/** A part of a message's content. */
const part = z.looseObject({
  type: z.string("type must be a string"),
  text: z.optional(z.string("text must be a string")),
});

/** The content of a message: a text, or its parts. */
export const content = z.union([z.string(), z.array(part)], "content must be a string or a list of parts");

/** A message of the chat completions API. */
export const chatMessage = z.looseObject({
  role: z.string("role must be a string"),
  content: z.nullish(content),
});
export type ChatMessage = z.infer<typeof chatMessage>;

/** A place in a text that names a source with an address. */
const urlCitation = z.object({
  start_index: z.int().check(z.describe("Where `[1]` begins in the text, in UTF-16 code units")),
  end_index: z.int(),
  title: z.string(),
  url: z.string().check(z.describe("The web page that the source was read from, otherwise its place in the reader")),
});
export type UrlCitation = z.infer<typeof urlCitation>;

/** The reasons for which a completion ends. */
const finishReasons = ["stop", "length", "content_filter"] as const;
export type FinishReason = typeof finishReasons[number];

const completionUsage = z.object({
  prompt_tokens: z.int(),
  prompt_tokens_details: z.object({ cached_tokens: z.int() }),
  completion_tokens: z.int(),
  completion_tokens_details: z.object({ reasoning_tokens: z.int() }),
  total_tokens: z.int(),
});
export type CompletionUsage = z.infer<typeof completionUsage>;

/** Reply of `POST /chat/completions` without `stream`. */
export const ChatCompletion = z.object({
  id: z.string(),
  object: z.literal("chat.completion"),
  created: z.int(),
  model: z.string(),
  service_tier: z.literal("default"),
  system_fingerprint: z.null(),
  choices: z.array(z.object({
    index: z.literal(0),
    message: z.object({
      role: z.literal("assistant"),
      content: z.string(),
      refusal: z.null(),
      annotations: z.array(z.object({ type: z.literal("url_citation"), url_citation: urlCitation })),
    }),
    logprobs: z.null(),
    finish_reason: z.enum(finishReasons),
  })),
  usage: completionUsage,
});
export type ChatCompletion = z.infer<typeof ChatCompletion>;

/** The output of a response: one message. */
export const OutputMessage = z.object({
  id: z.string(),
  type: z.literal("message"),
  status: z.enum(["in_progress", "completed", "incomplete"]),
  role: z.literal("assistant"),
  content: z.array(z.object({
    type: z.literal("output_text"),
    text: z.string(),
    annotations: z.array(z.object({ type: z.literal("url_citation"), ...urlCitation.shape })),
    logprobs: z.array(z.unknown()),
  })),
});
export type OutputMessage = z.infer<typeof OutputMessage>;

/** A response of the Responses API. */
export const Response = z.object({
  id: z.string().check(z.describe("`resp_` and the ID of the answer")),
  object: z.literal("response"),
  created_at: z.int(),
  completed_at: z.nullable(z.int()).check(z.describe("Null unless this request has completed it")),
  status: z.enum(["in_progress", "completed", "incomplete", "failed", "cancelled"]),
  background: z.literal(false),
  error: z.nullable(z.object({ code: z.string(), message: z.string(), type: z.string() })),
  frequency_penalty: z.literal(0),
  incomplete_details: z.nullable(z.object({ reason: z.string() })),
  instructions: z.nullable(z.string()),
  max_output_tokens: z.nullable(z.int()),
  max_tool_calls: z.null(),
  metadata: z.record(z.string(), z.unknown()),
  model: z.string(),
  output: z.array(OutputMessage),
  parallel_tool_calls: z.boolean(),
  presence_penalty: z.literal(0),
  previous_response_id: z.nullable(z.string()),
  prompt_cache_key: z.null(),
  reasoning: z.object({ effort: z.null(), summary: z.null() }),
  safety_identifier: z.null(),
  service_tier: z.literal("default"),
  store: z.boolean(),
  temperature: z.null(),
  text: z.object({ format: z.looseObject({ type: z.string() }) }),
  tool_choice: z.enum(["auto", "none"]),
  tools: z.array(z.unknown()),
  top_logprobs: z.literal(0),
  top_p: z.null(),
  truncation: z.literal("disabled"),
  usage: z.nullable(z.object({
    input_tokens: z.int(),
    input_tokens_details: z.object({ cached_tokens: z.int(), cache_write_tokens: z.literal(0) }),
    output_tokens: z.int(),
    output_tokens_details: z.object({ reasoning_tokens: z.int() }),
    total_tokens: z.int(),
  })),
  user: z.nullable(z.string()),
});
export type Response = z.infer<typeof Response>;

/** The errors of a turn. */
export const errorsOfTurns = () => [
  errors.coachNotFound(),
  errors.coachPaused(),
  errors.coachMismatch(),
  errors.userMismatch(),
  errors.threadNotFound(),
  errors.idempotencyKeyReused(),
  errors.answerNotRetryable(),
  ...failuresOfAnswers(),
];
