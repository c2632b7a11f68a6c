import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { requireCoachId, uuidPattern } from "../../core/wire/ids.ts";
import { nameUser } from "./name_user.ts";
import type { RemovedExpert } from "./replies.ts";
import type { RemoveExpertInput } from "./schemas.ts";

/**
 * Ends that a user is an expert of a coach. Owners remove others; everyone may leave.
 *
 * @throws 403 for anyone else, 404 if there is no such expert, 409 if no owner would be left.
 */
export async function removeExpert(
  { database, userId }: RequestContext,
  { coachId, userId: asked }: RemoveExpertInput,
): Promise<RemovedExpert> {
  const expertId = nameUser(asked, userId);
  const access = { coachId: requireCoachId(coachId), userId };
  await store.removeExpert(database, access, uuidPattern.test(expertId) ? expertId : null);
  return { message: "Expert removed successfully", userId: expertId };
}
