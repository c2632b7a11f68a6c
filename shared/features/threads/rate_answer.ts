import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { errors } from "../../base/errors.ts";
import { uuidPattern } from "../../core/wire/ids.ts";
import type { RatedAnswer } from "./replies.ts";
import type { RateAnswerInput } from "./schemas.ts";

/**
 * Stores a user's rating of an answer, or removes it.
 *
 * @throws 404 if the caller has no such thread, or the thread no such answer; 409 while the answer is being written.
 */
export async function rateAnswer(
  { database, userId }: RequestContext,
  { threadId, messageId, rating, comment = null }: RateAnswerInput,
): Promise<RatedAnswer> {
  if (!uuidPattern.test(threadId)) throw errors.threadNotFound();
  return await store.rateAnswer(database, {
    threadId,
    userId,
    messageId: uuidPattern.test(messageId) ? messageId : null,
    rating,
    comment,
  });
}
