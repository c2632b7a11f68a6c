import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { requireCoachId } from "../../core/wire/ids.ts";
import type { ListTestsInput } from "./schemas.ts";

/**
 * The tests of a coach, newest first, as the JSON of the reply.
 *
 * @throws 404 if the caller has no such coach; 403 for anyone but the expert.
 */
export async function listTests(
  { database, userId }: RequestContext,
  { coachId, ...page }: ListTestsInput,
): Promise<Uint8Array<ArrayBuffer>> {
  return await store.listTests(database, { coachId: requireCoachId(coachId), userId }, page);
}
