import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { requireCoachId } from "../../core/wire/ids.ts";
import type { ListBarredPassagesInput } from "./schemas.ts";

/**
 * The passages that a coach's answers do not draw on, the newest first, as the JSON of the reply.
 *
 * @throws 404 if the caller has no such coach; 403 for anyone but the expert.
 */
export async function listBarredPassages(
  { database, userId }: RequestContext,
  { coachId, ...page }: ListBarredPassagesInput,
): Promise<Uint8Array<ArrayBuffer>> {
  return await store.listBarredPassages(database, { coachId: requireCoachId(coachId), userId }, page);
}
