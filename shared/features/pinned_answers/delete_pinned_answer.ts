import type * as z from "zod/mini";
import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { requireCoachId, uuidPattern } from "../../core/wire/ids.ts";
import type { DeletedPinnedAnswer } from "./replies.ts";
import type { DeletePinnedAnswerInput } from "./schemas.ts";

/**
 * Deletes a pinned answer with its versions. Answers that were given from it stay.
 *
 * @throws 404 if the caller has no such coach, or the coach no such pinned answer; 403 for anyone but the expert.
 */
export async function deletePinnedAnswer(
  { database, userId }: RequestContext,
  { coachId, answerId }: DeletePinnedAnswerInput,
): Promise<z.infer<typeof DeletedPinnedAnswer>> {
  await store.deletePinnedAnswer(database, {
    coachId: requireCoachId(coachId),
    userId,
    answerId: uuidPattern.test(answerId) ? answerId : null,
  });
  return { message: "Pinned answer deleted successfully", answerId };
}
