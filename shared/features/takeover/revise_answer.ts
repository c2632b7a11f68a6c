import * as store from "./store.ts";
import { dropCitations } from "../../core/answers/citation_filter.ts";
import type { RequestContext } from "../../core/context.ts";
import { errors } from "../../base/errors.ts";
import { identifyRequest } from "../../core/wire/idempotency_key.ts";
import { uuidPattern } from "../../core/wire/ids.ts";
import { isStorableText } from "../../base/text/storable_text.ts";
import type { RevisedAnswer } from "./replies.ts";
import type { ReviseAnswerInput } from "./schemas.ts";

/**
 * Pins the expert's correction of an answer, bars misleading passages, and notifies the person if requested. Either
 * everything is done, or nothing.
 *
 * @throws 400 if the correction has no question, 403 for anyone but the expert, 404 if the thread, the answer or a
 * passage does not exist, 409 while the answer is still being written, 422 for a key that was used with another
 * correction.
 */
export async function reviseAnswer(
  { database, userId, requestId }: RequestContext,
  { threadId, messageId, idempotency_key, ...correction }: ReviseAnswerInput,
): Promise<RevisedAnswer> {
  if (!uuidPattern.test(threadId)) throw errors.threadNotFound();
  const { question, notify, bar_passages } = correction;
  return await store.reviseAnswer(database, {
    threadId,
    userId,
    messageId: uuidPattern.test(messageId) ? messageId : null,
    // Its numbers name sources of the answer that it corrects.
    answer: dropCitations(correction.answer) || correction.answer,
    question: question ?? null,
    notify: notify ?? false,
    // What Postgres cannot hold is the ID of no passage, as an empty text is.
    barPassages: bar_passages?.map((id) => isStorableText(id) ? id : "") ?? [],
    requestId,
    // There is always a key, because an interrupted call is repeated, and nobody should be notified twice.
    ...identifyRequest(idempotency_key ?? crypto.randomUUID(), { threadId, messageId, ...correction }),
  });
}
