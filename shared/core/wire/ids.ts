import { errors } from "../../base/errors.ts";
import { isStorableText } from "../../base/text/storable_text.ts";

/** Any UUID, of whatever version, as Postgres reads it. */
export const uuidPattern = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;

/** The id of a coach, as a client names it. @throws 404 for one that Postgres cannot hold: no coach has it. */
export function requireCoachId(coachId: string): string {
  if (!isStorableText(coachId)) throw errors.coachNotFound();
  return coachId;
}
