import { errors } from "../../base/errors.ts";
import { isStorableText } from "../../base/text/storable_text.ts";

/** The id of a coach, as a client names it. @throws 404 for one that Postgres cannot hold: no coach has it. */
export function requireCoachId(coachId: string): string {
  if (!isStorableText(coachId)) throw errors.coachNotFound();
  return coachId;
}
