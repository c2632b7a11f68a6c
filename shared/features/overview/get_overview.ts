import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { requireCoachId } from "../../core/wire/ids.ts";
import type { GetOverviewInput } from "./schemas.ts";

/**
 * An overview of what waits for the experts of a coach and how the coach does, as the JSON of the reply.
 *
 * @throws 404 if the caller's account has no such coach, 403 if the caller is no expert of it.
 */
export async function getOverview(
  { database, userId }: RequestContext,
  { coachId, since }: GetOverviewInput,
): Promise<Uint8Array<ArrayBuffer>> {
  return await store.readOverview(database, {
    coachId: requireCoachId(coachId),
    userId,
    since: since === undefined ? null : new Date(since),
  });
}
