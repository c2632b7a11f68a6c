import * as z from "zod/mini";
import { ApiError, errors } from "../../infra/errors.ts";
import type { StoredAnswer } from "../../core/answers/stored_answer.ts";
import type { RequestContext } from "../../core/context.ts";
import { requiredId } from "../../core/wire/fields.ts";
import { uuidPattern } from "../../core/wire/ids.ts";
import type { Reply } from "../../http/endpoint.ts";
import { describeStored } from "./describe_response.ts";
import type { Response } from "./fields.ts";
import { hasFootnotes } from "./footnotes.ts";

/** The input of operations on a stored response. */
export const storedInput = z.object({
  responseId: requiredId("responseId", "`id` of a response"),
  stream: z.optional(z.literal("false", "stream must be false")),
});

/** A stored response, with where it is stored. */
export type StoredResponse = { response: Response; threadId: string; messageId: string };

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
