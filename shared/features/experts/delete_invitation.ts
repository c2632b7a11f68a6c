import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { requireCoachId, uuidPattern } from "../../core/wire/ids.ts";
import type { DeletedInvitation } from "./replies.ts";
import type { DeleteInvitationInput } from "./schemas.ts";

/**
 * Takes an invitation back, so that nobody can accept it.
 *
 * @throws 403 for anyone but an owner, 404 if there is no such coach or open invitation.
 */
export async function deleteInvitation(
  { database, userId }: RequestContext,
  { coachId, invitationId }: DeleteInvitationInput,
): Promise<DeletedInvitation> {
  const access = { coachId: requireCoachId(coachId), userId };
  await store.deleteInvitation(database, access, uuidPattern.test(invitationId) ? invitationId : null);
  return { message: "Invitation deleted successfully", invitationId };
}
