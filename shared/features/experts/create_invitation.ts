import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { requireCoachId } from "../../core/wire/ids.ts";
import type { NewInvitation } from "./replies.ts";
import type { CreateInvitationInput } from "./schemas.ts";

/**
 * Invites somebody to become an expert of a coach. The reply alone has the token: only its digest is kept.
 *
 * @throws 403 for anyone but an owner, 404 if the caller's account has no such coach, 409 while too many are open.
 */
export async function createInvitation(
  { database, userId, services, log }: RequestContext,
  { coachId, role, email }: CreateInvitationInput,
): Promise<NewInvitation> {
  const access = { coachId: requireCoachId(coachId), userId };
  const invitation = await store.createInvitation(database, access, { role, email: email ?? null });
  const { deskUrl } = services;
  if (email && services.mail !== null) services.waitUntil(services.wakeMailer(log));
  return { ...invitation, url: deskUrl && `${deskUrl}#invitation=${invitation.token}` };
}
