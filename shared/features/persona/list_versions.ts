import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { requireCoachId } from "../../core/wire/ids.ts";
import type { ListVersionsInput } from "./schemas.ts";

/**
 * The versions of a persona, newest first, as the JSON of the reply.
 *
 * @throws 404 if the caller has no such coach; 403 for anyone but its experts.
 */
export async function listVersions(
  { database, userId }: RequestContext,
  { coachId, ...page }: ListVersionsInput,
): Promise<Uint8Array<ArrayBuffer>> {
  return await store.listVersions(database, { coachId: requireCoachId(coachId), userId }, page);
}
