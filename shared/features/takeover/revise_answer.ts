import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { errors } from "../../base/errors.ts";
import { identifyRequest } from "../../core/wire/idempotency_key.ts";
import { uuidPattern } from "../../core/wire/ids.ts";
import type { RevisedAnswer } from "./replies.ts";
import type { ReviseAnswerInput } from "./schemas.ts";

/**
 * Pins the expert's correction of an answer, bars the passages that misled, and tells the person where that is wanted:
 * all of it, or nothing.
 *
 * @throws 400 where it is not known what question the correction answers, 403 for everybody but the expert, 404 where the
 * thread, the answer or a passage does not exist, 409 while the answer is to come, 422 for a key that came with another
 * correction.
 */
export async function reviseAnswer(
  { database, userId, requestId }: RequestContext,
  { threadId, messageId, idempotency_key, ...correction }: ReviseAnswerInput,
): Promise<RevisedAnswer> {
  if (!uuidPattern.test(threadId)) throw errors.threadNotFound();
  const { answer, question, notify, bar_passages } = correction;
  return await store.reviseAnswer(database, {
    threadId,
    userId,
    messageId: uuidPattern.test(messageId) ? messageId : null,
    answer,
    question: question ?? null,
    notify: notify ?? false,
    barPassages: bar_passages ?? [],
    requestId,
    // With a key in any case: a call that breaks off is made again, and nobody may be told twice.
    ...identifyRequest(idempotency_key ?? crypto.randomUUID(), { threadId, messageId, ...correction }),
  });
}
