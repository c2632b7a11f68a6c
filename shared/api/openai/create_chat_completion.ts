import * as z from "zod/mini";
import { defineEndpoint } from "../../http/endpoint.ts";
import { ask, findConversationId, readUser } from "./ask.ts";
import {
  ChatCompletion,
  chatMessage,
  common,
  errorsOfTurns,
  format,
  headers,
  limit,
  maxBytes,
  only,
  readTaskHeader,
  streams,
} from "./fields.ts";
import { readMessages } from "./read_conversation.ts";
import { type Completion, replyWithCompletion } from "./reply_with_completion.ts";
import { answerTask, isTask, readFormat, requireText } from "./tasks.ts";

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
  reply: replyWithCompletion,
});
