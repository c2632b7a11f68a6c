import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { errors } from "../../base/errors.ts";
import { requireCoachId } from "../../core/wire/ids.ts";
import type { GetUsageInput } from "./schemas.ts";

const usualDays = 30;
const mostDays = 366;
const dayLength = 86_400_000;

/**
 * The usage of a coach by day, as the JSON of the reply.
 *
 * @throws 404 if the caller's account has no such coach, 403 if the caller is not the expert behind it.
 */
export async function getUsage(
  { database, userId }: RequestContext,
  { coachId, ...span }: GetUsageInput,
): Promise<Uint8Array<ArrayBuffer>> {
  const to = span.to ?? dayOf(Date.now());
  const from = span.from ?? dayOf(Date.parse(to) - (usualDays - 1) * dayLength);
  const days = (Date.parse(to) - Date.parse(from)) / dayLength + 1;
  if (days < 1) throw errors.invalidInput("from must not be after to");
  if (days > mostDays) throw errors.invalidInput(`from and to must span at most ${mostDays} days, including both`);
  return await store.readUsage(database, { coachId: requireCoachId(coachId), userId, from, to });
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
