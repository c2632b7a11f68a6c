import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { requireCoachId } from "../../core/wire/ids.ts";
import type { ListActsInput } from "./schemas.ts";

/**
 * Acts on a coach and its experts in the last year, newest first, as the JSON of the reply.
 *
 * @throws 403 for anyone but an owner, 404 if the caller's account has no such coach.
 */
export async function listActs(
  { database, userId }: RequestContext,
  { coachId, ...page }: ListActsInput,
): Promise<Uint8Array<ArrayBuffer>> {
  return await store.listActs(database, { coachId: requireCoachId(coachId), userId }, page);
}
