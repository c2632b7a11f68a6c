import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { requireCoachId } from "../../core/wire/ids.ts";
import type { CoachInput } from "./schemas.ts";

/**
 * A persona as it would be if its draft were published, as the JSON of the reply.
 *
 * @throws 404 if the caller has no such coach; 403 for anyone but its experts.
 */
export async function getDraft(
  { database, userId, services }: RequestContext,
  { coachId }: CoachInput,
): Promise<Uint8Array<ArrayBuffer>> {
  return await store.getDraft(database, { coachId: requireCoachId(coachId), userId }, services.picturesUrl);
}
