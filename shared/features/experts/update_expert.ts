import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { requireCoachId, uuidPattern } from "../../core/wire/ids.ts";
import { nameUser } from "./name_user.ts";
import type { UpdateExpertInput } from "./schemas.ts";

/**
 * Gives an expert another role, and returns the expert as the JSON of the reply.
 *
 * @throws 403 for anyone but an owner, 404 if there is no such expert, 409 if no owner would be left.
 */
export async function updateExpert(
  { database, userId }: RequestContext,
  { coachId, userId: asked, role }: UpdateExpertInput,
): Promise<Uint8Array<ArrayBuffer>> {
  const expertId = nameUser(asked, userId);
  return await store.setRole(database, { coachId: requireCoachId(coachId), userId }, {
    expertId: uuidPattern.test(expertId) ? expertId : null,
    role,
  });
}
