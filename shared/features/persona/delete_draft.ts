import type * as z from "zod/mini";
import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { requireCoachId } from "../../core/wire/ids.ts";
import type { DeletedDraft } from "./replies.ts";
import type { CoachInput } from "./schemas.ts";

/**
 * Deletes the draft of a persona with its picture. If there is none, nothing happens.
 *
 * @throws 404 if the caller has no such coach; 403 for anyone but its owners and editors.
 */
export async function deleteDraft(
  { database, userId, services }: RequestContext,
  { coachId }: CoachInput,
): Promise<z.infer<typeof DeletedDraft>> {
  const nothing = { fields: null, seen: {}, picturesUrl: services.picturesUrl };
  await store.saveDraft(database, { coachId: requireCoachId(coachId), userId }, nothing);
  return { message: "Draft deleted successfully", coachId };
}
