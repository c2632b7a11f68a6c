import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { requireCoachId } from "../../core/wire/ids.ts";
import type { ListExpertsInput } from "./schemas.ts";

/**
 * The experts of a coach, for each of them, as the JSON of the reply.
 *
 * @throws 404 if the caller's account has no such coach, 403 if the caller is no expert of it.
 */
export async function listExperts(
  { database, userId }: RequestContext,
  { coachId, ...page }: ListExpertsInput,
): Promise<Uint8Array<ArrayBuffer>> {
  return await store.listExperts(database, { coachId: requireCoachId(coachId), userId }, page);
}
