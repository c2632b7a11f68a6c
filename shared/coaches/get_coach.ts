import type { RequestContext } from "../context.ts";
import { errors } from "../errors.ts";
import { isStorableText } from "../text/storable_text.ts";
import type { GetCoachInput } from "./schemas.ts";
import * as store from "./store.ts";

/**
 * A coach, as the JSON of the reply.
 *
 * @throws 404 when the caller may talk to no such coach.
 */
export async function getCoach(
  { database }: RequestContext,
  { coachId }: GetCoachInput,
): Promise<Uint8Array<ArrayBuffer>> {
  // No coach has an id that Postgres cannot hold.
  const reply = isStorableText(coachId) ? await store.getCoach(database, coachId) : null;
  if (reply === null) throw errors.coachNotFound();
  return reply;
}
