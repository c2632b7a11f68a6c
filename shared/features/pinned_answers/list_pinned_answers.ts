import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { requireCoachId } from "../../core/wire/ids.ts";
import type { ListPinnedAnswersInput } from "./schemas.ts";

/**
 * The pinned answers of a coach, the newest change first, as the JSON of the reply.
 *
 * @throws 404 if the caller has no such coach; 403 for anyone but the expert.
 */
export async function listPinnedAnswers(
  { database, userId }: RequestContext,
  { coachId, search, is_active, ...page }: ListPinnedAnswersInput,
): Promise<Uint8Array<ArrayBuffer>> {
  const filter = { search: search?.trim() || null, isActive: is_active === undefined ? null : is_active === "true" };
  const access = { coachId: requireCoachId(coachId), userId };
  return await store.listPinnedAnswers(database, access, filter, page);
}
