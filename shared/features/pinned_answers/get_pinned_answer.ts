import type { RequestContext } from "../../core/context.ts";
import { uuidPattern } from "../../core/wire/uuid.ts";
import { requireCoachId } from "../../core/wire/require_coach_id.ts";
import type { GetPinnedAnswerInput } from "./schemas.ts";
import * as store from "./store.ts";

/**
 * A pinned answer with its versions, as the JSON of the reply.
 *
 * @throws 404 when the caller has no such coach, or the coach no such pinned answer; 403 for anyone but the expert.
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
