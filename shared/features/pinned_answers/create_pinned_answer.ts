import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { requireCoachId } from "../../core/wire/ids.ts";
import type { CreatePinnedAnswerInput } from "./schemas.ts";

/**
 * Pins an answer to a question. Returns it as the JSON of the reply.
 *
 * @throws 404 if the caller has no such coach; 403 for anyone but the expert; 409 for a question that is pinned already.
 */
export async function createPinnedAnswer(
  { database, userId, services, log }: RequestContext,
  { coachId, question, variants = [], answer, is_active = true }: CreatePinnedAnswerInput,
): Promise<Uint8Array<ArrayBuffer>> {
  const reply = await store.createPinnedAnswer(database, { coachId: requireCoachId(coachId), userId }, {
    question,
    variants,
    answer,
    is_active,
  });
  if (services.embedder !== null) services.waitUntil(services.wakeIndexer(log));
  return reply;
}
