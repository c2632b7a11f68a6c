import type { RequestContext } from "../../core/context.ts";
import { ask, type ClientAnswer, findConversationId, readUser } from "./ask.ts";
import { readMessages } from "./read_conversation.ts";
import type { CompletionInput } from "./schemas.ts";
import { answerTask, isTask, readFormat, requireText, type TaskAnswer } from "./tasks.ts";

/** A completion that is about to be written. */
export type Completion = {
  answer: ClientAnswer | TaskAnswer;
  isStream: boolean;
  /** True if the stream ends with the tokens that were used. */
  includesUsage: boolean;
};

/**
 * Answers the last message of a chat, as the coach, or carries out a task of the application.
 *
 * @throws as `readMessages`, `ask` and `answerTask` do.
 */
export async function completeChat(ctx: RequestContext, input: CompletionInput): Promise<Completion> {
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
}
