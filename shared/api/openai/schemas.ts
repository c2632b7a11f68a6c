import * as z from "zod/mini";
import { requiredId } from "../../core/wire/fields.ts";
import { maxOutputTokensBounds } from "../../infra/model_settings.ts";
import { headerFields } from "./client_headers.ts";

export const ListModelsInput = z.object({});

const modelId = requiredId("model", "The ID of a coach");

/** Input of `getModel`. */
export const GetModelInput = z.object({ model: modelId });
export type GetModelInput = z.infer<typeof GetModelInput>;

/** A value that is not supported, and would change the reply, is refused. Most other fields are ignored. */
function only<Schema extends z.ZodMiniType>(
  schema: Schema,
  isSupported: (value: NonNullable<z.infer<Schema>>) => boolean,
  error: string,
) {
  return z.nullish(schema.check(z.refine((value) => isSupported(value as NonNullable<z.infer<Schema>>), error)));
}

/** A limit only lowers the coach's own, which is never higher than this. */
const limit = (name: string) =>
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

const streams = (name: string) => z.nullish(z.boolean(`${name} must be true or false`));

/** The form of a reply. Other than text, only tasks may ask for one. */
function format(name: string) {
  return z.nullish(z.looseObject({ type: z.string(`${name}.type must be a string`) }, `${name} must be an object`));
}

/** Fields that both APIs have. */
const common = {
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
const Part = z.looseObject({
  type: z.string("type must be a string"),
  text: z.optional(z.string("text must be a string")),
});

/** The content of a message: a text, or its parts. */
const Content = z.union([z.string(), z.array(Part)], "content must be a string or a list of parts");

/** A message of the chat completions API. */
export const ChatMessage = z.looseObject({
  role: z.string("role must be a string"),
  content: z.nullish(Content),
});
export type ChatMessage = z.infer<typeof ChatMessage>;

/** Input of `createChatCompletion`. */
export const CompletionInput = z.object({
  ...common,
  messages: z.array(ChatMessage, "messages must be a list of messages").check(
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
});
export type CompletionInput = z.infer<typeof CompletionInput>;

/** An item of the input of the Responses API. */
export const InputItem = z.looseObject({
  type: z.optional(z.string("type must be a string")),
  role: z.optional(z.string("role must be a string")),
  content: z.nullish(Content),
});
export type InputItem = z.infer<typeof InputItem>;

/** Input of `createResponse`. */
export const ResponseInput = z.object({
  ...common,
  // Before the input, which a request with a prompt need not have.
  prompt: z.optional(z.null("prompt is not supported: the model has its own")),
  input: z.union([z.string(), z.array(InputItem)], "input must be a string or a list of items").check(
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
export type ResponseInput = z.infer<typeof ResponseInput>;

/** Input of `getResponse`, `deleteResponse` and `cancelResponse`. */
export const StoredResponseInput = z.object({
  responseId: requiredId("responseId", "`id` of a response"),
  stream: z.optional(z.literal("false", "stream must be false")),
});
export type StoredResponseInput = z.infer<typeof StoredResponseInput>;
