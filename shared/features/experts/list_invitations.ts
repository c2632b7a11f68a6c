import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { requireCoachId } from "../../core/wire/ids.ts";
import type { ListInvitationsInput } from "./schemas.ts";

/**
 * The open invitations of a coach, newest first, as the JSON of the reply. None has its token.
 *
 * @throws 403 for anyone but an owner, 404 if the caller's account has no such coach.
 */
export async function listInvitations(
  { database, userId }: RequestContext,
  { coachId, ...page }: ListInvitationsInput,
): Promise<Uint8Array<ArrayBuffer>> {
  return await store.listInvitations(database, { coachId: requireCoachId(coachId), userId }, page);
}
