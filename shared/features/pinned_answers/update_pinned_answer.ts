import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { requireCoachId, uuidPattern } from "../../core/wire/ids.ts";
import type { UpdatePinnedAnswerInput } from "./schemas.ts";

/**
 * Changes the fields that are sent of a pinned answer. Returns it as the JSON of the reply.
 *
 * @throws 404 if the caller has no such coach, or the coach no such pinned answer; 403 for anyone but the expert; 409
 * for a question that another pinned answer has.
 */
export async function updatePinnedAnswer(
  { database, userId, services, log }: RequestContext,
  { coachId, answerId, ...change }: UpdatePinnedAnswerInput,
): Promise<Uint8Array<ArrayBuffer>> {
  const reply = await store.updatePinnedAnswer(database, {
    coachId: requireCoachId(coachId),
    userId,
    answerId: uuidPattern.test(answerId) ? answerId : null,
  }, change);
  const hasNewPhrases = change.question !== undefined || change.variants !== undefined;
  if (hasNewPhrases && services.embedder !== null) services.waitUntil(services.wakeIndexer(log));
  return reply;
}
