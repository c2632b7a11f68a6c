import * as z from "zod/mini";
import { cursorFitsSearch, searchedKey, searchField } from "../threads/schemas.ts";
import { requiredId } from "../../core/wire/fields.ts";
import { pageFields, PageSize } from "../../core/wire/paging.ts";

const coachId = requiredId("coachId", "The coach");

/** A day, or an instant in any time zone. */
function timeField(name: string, description: string) {
  const error = `${name} must be a day such as 2026-12-31 or a time such as 2026-12-31T23:59:59Z`;
  return z.optional(z.union([z.iso.date(), z.iso.datetime({ offset: true })], error)).check(z.describe(description));
}

/** Input of `listConversations`. It always returns a page, because a coach may have any number of threads. */
export const ListConversationsInput = z.object({
  coachId,
  search: searchField,
  has_feedback: z.optional(z.literal("down", "has_feedback must be down")).check(
    z.describe("`down`: only threads with an answer that has a thumbs-down"),
  ),
  // A string, because it is in the query of an HTTP request.
  needs_reply: z.optional(z.literal("true", "needs_reply must be true")).check(
    z.describe("`true`: only threads in which somebody is waiting for the expert"),
  ),
  standalone: z.optional(z.enum(["true", "false"], "standalone must be true or false")).check(
    z.describe("`true`: instead of these, the turns that stand alone, as for the threads of a user"),
  ),
  from: timeField("from", "Only threads updated on this day (UTC), at this time, or later"),
  to: timeField("to", "Only threads updated on this day (UTC), at this time, or earlier"),
  cursor: pageFields(searchedKey).cursor.check(z.describe("`next_cursor` of the previous page")),
  limit: z._default(PageSize, 20).check(z.describe("The maximum number of threads on a page")),
}).check(cursorFitsSearch);
export type ListConversationsInput = z.infer<typeof ListConversationsInput>;

function dayField(name: string, description: string) {
  const error = `${name} must be a day such as 2026-12-31`;
  return z.optional(z.iso.date(error).check(z.refine((day) => day >= "1970-01-01", error))).check(
    z.describe(description),
  );
}

/** Input of `getUsage`. */
export const GetUsageInput = z.object({
  coachId,
  from: dayField("from", "The first day (UTC); by default, 29 days before the last one"),
  to: dayField("to", "The last day (UTC), which is included; by default, today. At most 366 days"),
});
export type GetUsageInput = z.infer<typeof GetUsageInput>;
