import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { requireCoachId } from "../../core/wire/ids.ts";
import { personaFieldNames, type SaveDraftInput } from "./schemas.ts";

/**
 * Replaces the draft of a persona, but for its picture. Fields that are left out become as published. Returns the draft
 * as the JSON of the reply.
 *
 * @throws 404 if the caller has no such coach; 403 for anyone but its owners and editors; 409 if the draft, or what is
 * published, is not what the caller has seen.
 */
export async function saveDraft(
  { database, userId, services }: RequestContext,
  { coachId, if_revision, if_version, ...given }: SaveDraftInput,
): Promise<Uint8Array<ArrayBuffer>> {
  const fields: store.PersonaFields = {};
  for (const name of personaFieldNames) {
    const value = given[name];
    if (value !== undefined) fields[name] = value;
  }
  return await store.saveDraft(database, { coachId: requireCoachId(coachId), userId }, {
    fields,
    seen: { version: if_version ?? undefined, revision: if_revision ?? undefined },
    picturesUrl: services.picturesUrl,
  });
}
