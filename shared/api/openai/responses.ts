import * as z from "zod/mini";
import * as store from "./store.ts";
import { ApiError, errors } from "../../base/errors.ts";
import { retry } from "../../base/std/async.ts";
import type { RequestContext } from "../../core/context.ts";
import type { StoredAnswer } from "../../core/answers/stored_answer.ts";
import { uuidPattern } from "../../core/wire/ids.ts";
import { readAnswer } from "../../features/chat/read_answer.ts";
import { stopStoredAnswer } from "../../features/chat/stop_answer.ts";
import { readThread } from "../../features/threads/store.ts";
import { parseJson, parseReply } from "../../infra/db/database.ts";
import { ask, type ClientAnswer, findConversationId, readUser } from "./ask.ts";
import { answerTask, isTask, readFormat, requireText, type TaskAnswer } from "./tasks.ts";
import { describeStored } from "./describe_response.ts";
import { hasFootnotes } from "./footnotes.ts";
import { readInput } from "./read_conversation.ts";
import type { DeletedResponse, Response } from "./replies.ts";
import type { ResponseInput, StoredResponseInput } from "./schemas.ts";

/** A response that is about to be written. */
export type ResponseToCome = {
  answer: ClientAnswer | TaskAnswer;
  input: ResponseInput;
  /** Erases the turn; null if it is to be kept. */
  erase: (() => Promise<void>) | null;
};

/**
 * Answers the last message of an input, as the coach.
 *
 * @throws 400 for two conversations, a conversation that cannot be known again, and an unknown previous response; as
 * `readInput` and `ask` do.
 */
export async function createResponse(ctx: RequestContext, input: ResponseInput): Promise<ResponseToCome> {
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
  const previousId = previous ? readId(previous, errors.previousResponseNotFound) : conversation.previousId;
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
}

/** Deletes the turn of an answer that is not to be stored, unless it goes on in another request, which does so then. */
async function erase(
  { database, userId }: RequestContext,
  { head: { messageId }, runId }: ClientAnswer,
): Promise<void> {
  try {
    // Nobody asks for it again: where Postgres is away for a moment, the turn would stay.
    await retry(() => store.deleteTurn(database, { userId, messageId, runId }), {
      isRetriable: (error) => !(error instanceof ApiError),
      minTimeout: 200,
    });
  } catch (error) {
    // The conversation has gone on meanwhile, so its next turn may build on this one.
    if (!(error instanceof ApiError) || error.code !== "not_the_last_turn") throw error;
  }
}

/** A stored response, with where it is stored. */
export type StoredResponse = { response: Response; threadId: string; messageId: string };

/** A stored response. @throws 404 if the caller has no such response. */
export async function getResponse(ctx: RequestContext, { responseId }: StoredResponseInput): Promise<StoredResponse> {
  const messageId = readId(responseId, errors.responseNotFound);
  return describe(ctx, await orNotFound(() => readAnswer(ctx, { messageId, after: 0 })));
}

/** Stops a response that is being written. One that has ended is returned as it is. @throws 404 if the caller has none. */
export async function cancelResponse(
  ctx: RequestContext,
  { responseId }: StoredResponseInput,
): Promise<StoredResponse> {
  const messageId = readId(responseId, errors.responseNotFound);
  return describe(ctx, await orNotFound(() => stopStoredAnswer(ctx, { messageId })));
}

/** Deletes the last turn of a thread. @throws 404 if the caller has no such response, 409 for any other turn. */
export async function deleteResponse(
  { database, userId }: RequestContext,
  { responseId }: StoredResponseInput,
): Promise<DeletedResponse> {
  const messageId = readId(responseId, errors.responseNotFound);
  if (!await store.deleteTurn(database, { userId, messageId })) throw errors.responseNotFound();
  return { id: responseId, object: "response", deleted: true };
}

const ThreadOfAnswer = z.object({ coach_id: z.string() });

async function describe(
  { admission, database, userId, services: { pageUrl } }: RequestContext,
  answer: StoredAnswer,
): Promise<StoredResponse> {
  const { threadId, messageId } = answer;
  const thread = await readThread(database, { threadId, userId });
  if (thread === null) throw errors.responseNotFound();
  const { coach_id: model } = parseReply("read_thread", ThreadOfAnswer, parseJson("read_thread", thread));
  const response = describeStored(answer, { model, pageUrl, hasFootnotes: () => hasFootnotes(admission) });
  return { response, threadId, messageId };
}

/** The ID of the answer of a response. */
function readId(responseId: string, toError: () => ApiError): string {
  const id = responseId.startsWith("resp_") ? responseId.slice("resp_".length) : "";
  if (!uuidPattern.test(id)) throw toError();
  return id;
}

async function orNotFound<Result>(find: () => Promise<Result>): Promise<Result> {
  try {
    return await find();
  } catch (error) {
    throw error instanceof ApiError && error.code === "message_not_found" ? errors.responseNotFound() : error;
  }
}
