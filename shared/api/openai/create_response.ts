import { ApiError, errors } from "../../infra/errors.ts";
import { retry } from "../../libs/base/std/async.ts";
import type { RequestContext } from "../../core/context.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { ask, type ClientAnswer, findConversationId, readUser } from "./ask.ts";
import { deleteTurn } from "./delete_response.ts";
import { responseInput } from "./describe_response.ts";
import { errorsOfTurns, headers, maxBytes, readTaskHeader, Response } from "./fields.ts";
import { readInput } from "./read_conversation.ts";
import { replyWithResponse, type ResponseToCome } from "./reply_with_response.ts";
import { readResponseId } from "./stored_response.ts";
import { answerTask, isTask, readFormat, requireText } from "./tasks.ts";

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
  reply: replyWithResponse,
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
