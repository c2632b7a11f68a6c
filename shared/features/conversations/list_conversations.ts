import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { requireCoachId } from "../../core/wire/ids.ts";
import { isSearch } from "../threads/schemas.ts";
import type { ListConversationsInput } from "./schemas.ts";

/**
 * A page of the conversations with a coach, newest first or, with a search, best match first, as the JSON of the reply.
 *
 * @throws 404 if the caller's account has no such coach, 403 if the caller is not the expert behind it.
 */
export async function listConversations(
  { database, userId }: RequestContext,
  { coachId, search, has_feedback, needs_reply, standalone, from, to, ...page }: ListConversationsInput,
): Promise<Uint8Array<ArrayBuffer>> {
  return await store.listConversations(database, {
    coachId: requireCoachId(coachId),
    userId,
    search: isSearch(search) ? search : null,
    hasDown: has_feedback === "down",
    needsReply: needs_reply === "true",
    isStandalone: standalone === "true",
    from: from === undefined ? null : within(Date.parse(from)),
    before: to === undefined ? null : within(Date.parse(to) + lengthOf(to)),
  }, page);
}

/** The length of a day, or of the millisecond that times in replies are rounded to. */
function lengthOf(time: string): number {
  return time.includes("T") ? 1 : 24 * 3_600_000;
}

const first = Date.parse("0001-01-01T00:00:00Z");
const last = Date.parse("9999-12-31T23:59:59.999Z");

/** The nearest time whose year has four digits, as Postgres requires. */
function within(time: number): Date {
  return new Date(Math.min(Math.max(time, first), last));
}
