import type { RequestContext } from "../../core/context.ts";
import { requireCoachId } from "../../core/wire/ids.ts";
import type { DeletedCoach } from "./replies.ts";
import type { DeleteCoachInput, GetSettingsInput, SaveSettingsInput } from "./schemas.ts";
import * as store from "./store.ts";

/**
 * The settings of a coach, as the JSON of the reply.
 *
 * @throws 403 for anyone but an owner or editor, 404 if the caller's account has no such coach.
 */
export async function getSettings(
  { database, userId }: RequestContext,
  { coachId }: GetSettingsInput,
): Promise<Uint8Array<ArrayBuffer>> {
  return await store.getSettings(database, { coachId: requireCoachId(coachId), userId });
}

/**
 * Changes those settings that are passed, and returns all as the JSON of the reply.
 *
 * @throws 403 for anyone but an owner, 404 if the caller's account has no such coach, 400 for a text that cannot be a slug,
 * 409 for one that is taken, or is changed too often, and of a coach that was never published.
 */
export async function saveSettings(
  { database, userId }: RequestContext,
  { coachId, ...changes }: SaveSettingsInput,
): Promise<Uint8Array<ArrayBuffer>> {
  return await store.saveSettings(database, { coachId: requireCoachId(coachId), userId }, changes);
}

/**
 * Deletes a coach for everybody. What is its own is erased soon after.
 *
 * @throws 403 for anyone but an owner, 404 if the caller's account has no such coach, 400 if its name is not confirmed.
 */
export async function deleteCoach(
  { database, userId }: RequestContext,
  { coachId, confirm }: DeleteCoachInput,
): Promise<DeletedCoach> {
  const id = await store.deleteCoach(database, { coachId: requireCoachId(coachId), userId }, confirm);
  return { message: "Coach deleted successfully", coachId: id };
}
