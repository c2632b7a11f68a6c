import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { requireCoachId } from "../../core/wire/ids.ts";
import type { GetCoachInput } from "./schemas.ts";

/**
 * A coach, as the JSON of the reply.
 *
 * @throws 404 if the caller may not talk to such a coach, also because it is paused.
 */
export async function getCoach(
  { database, services }: RequestContext,
  { coachId }: GetCoachInput,
): Promise<Uint8Array<ArrayBuffer>> {
  const { picturesUrl, mail, pageUrl } = services;
  const tellsByMail = mail !== null && pageUrl !== null;
  return await store.getCoach(database, requireCoachId(coachId), { picturesUrl, tellsByMail });
}
