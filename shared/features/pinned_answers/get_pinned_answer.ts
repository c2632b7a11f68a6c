import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { requireCoachId, uuidPattern } from "../../core/wire/ids.ts";
import type { GetPinnedAnswerInput } from "./schemas.ts";

/**
 * A pinned answer with its versions, as the JSON of the reply.
 *
 * @throws 404 if the caller has no such coach, or the coach no such pinned answer; 403 for anyone but the expert.
 */
export async function getPinnedAnswer(
  { database, userId }: RequestContext,
  { coachId, answerId }: GetPinnedAnswerInput,
): Promise<Uint8Array<ArrayBuffer>> {
  return await store.getPinnedAnswer(database, {
    coachId: requireCoachId(coachId),
    userId,
    answerId: uuidPattern.test(answerId) ? answerId : null,
  });
}
