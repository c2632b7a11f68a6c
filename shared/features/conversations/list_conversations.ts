import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { calendarOf, timeField, within, zoneOfDays } from "../../core/wire/calendar.ts";
import { Count, requiredId, Timestamp, Uuid } from "../../core/wire/fields.ts";
import { requireCoachId } from "../../core/wire/ids.ts";
import { pageFields, PageSize, readPage, readSearchedPage } from "../../core/wire/paging.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { ExpertRequest } from "../requests/fields.ts";
import { cursorFitsSearch, excerpt, isSearch, search, searchedKey, ThreadWithState } from "../threads/fields.ts";

/** A thread as the expert behind its coach sees it. */
export const Conversation = z.object({
  ...ThreadWithState.shape,
  needs_reply_at: z.nullable(Timestamp).check(
    z.describe("The time since which somebody has been waiting for the expert; null if nobody is"),
  ),
  request: z.nullable(ExpertRequest).check(
    z.describe("The request to the expert that has waited longest; null if none waits"),
  ),
  person: z.object({
    name: z.nullable(z.string()).check(z.describe("The name in their access token")),
    email: z.nullable(z.string()).check(z.describe("The email address in their access token")),
    language: z.nullable(z.string()).check(z.describe("The language of the page that they asked on, as a tag")),
    page_url: z.nullable(z.string()).check(
      z.describe("The page that they asked on, as it was told: show it as text, without query and fragment"),
    ),
    threads: Count.check(z.describe("The number of their threads with this coach, up to 30")),
    first_seen_at: Timestamp.check(z.describe("When their first one began")),
  }).check(z.describe("Who asks, as far as it is known; anonymous people have no name and address")),
  taken_over_by: z.nullable(Uuid).check(
    z.describe("The expert who answers in person: `user_id`; null: nobody, or it is a server that does"),
  ),
  assigned_to: z.nullable(Uuid).check(z.describe("The expert who sees to it: `user_id`; null: nobody")),
  is_closed: z.boolean().check(z.describe("Whether an expert has closed it. A new question opens it again")),
  note: z.nullable(z.string()).check(z.describe("A note of the experts, for each other")),
  is_unread: z.nullable(z.boolean()).check(
    z.describe("Whether there is something new in it for the signed-in expert; false if closed, null for a server"),
  ),
  has_down: z.boolean().check(z.describe("Whether an answer in the thread has a thumbs-down")),
  excerpt: z.optional(excerpt),
});

export const ConversationList = z.object({
  data: z.array(Conversation).check(z.describe("Most recently updated first; best match first with a search")),
  count: Count.check(z.describe("The number of threads in `data`")),
  next_cursor: z.nullable(z.string()).check(z.describe("The `cursor` of the next page, null on the last")),
});

/** The conversations with a coach, newest first or, with a search, best match first. */
export const operation = defineEndpoint({
  name: "listConversations",
  method: "GET",
  path: "/coaches/:coachId/threads",
  scope: "expert",
  failure: "Failed to fetch conversations",
  errors: () => [errors.coachNotFound(), errors.notTheExpert()],
  // Always a page, because a coach may have any number of threads.
  input: z.object({
    coachId: requiredId("coachId", "The coach"),
    search,
    has_feedback: z.optional(z.literal("down", "has_feedback must be down")).check(
      z.describe("`down`: only threads with an answer that has a thumbs-down"),
    ),
    // A string, because it is in the query of an HTTP request.
    needs_reply: z.optional(z.literal("true", "needs_reply must be true")).check(
      z.describe("`true`: only threads in which somebody is waiting for the expert"),
    ),
    is_closed: z.optional(z.enum(["true", "false"], "is_closed must be true or false")).check(
      z.describe("Only those that were closed, or only the others; by default, both"),
    ),
    standalone: z.optional(z.enum(["true", "false"], "standalone must be true or false")).check(
      z.describe("`true`: instead of these, the turns that stand alone, as for the threads of a user"),
    ),
    from: timeField("from", "Only threads updated on this day, at this time, or later"),
    to: timeField("to", "Only threads updated on this day, at this time, or earlier"),
    time_zone: zoneOfDays,
    cursor: pageFields(searchedKey).cursor.check(z.describe("`next_cursor` of the previous page")),
    limit: z._default(PageSize, 20).check(z.describe("The maximum number of threads on a page")),
  }).check(cursorFitsSearch),
  output: ConversationList,
  async verb(
    { database, userId },
    { coachId, search, has_feedback, needs_reply, is_closed, standalone, from, to, time_zone, ...page },
  ) {
    const calendar = calendarOf(time_zone);
    const { afterScore, afterAt, afterKey } = isSearch(search)
      ? readSearchedPage(page)
      : { afterScore: null, ...readPage(page) };
    return await database.callForBytes("list_conversations", {
      user_id: userId,
      filter: {
        coach_id: requireCoachId(coachId),
        search: isSearch(search) ? search : null,
        has_down: has_feedback === "down",
        needs_reply: needs_reply === "true",
        is_closed: is_closed === undefined ? null : is_closed === "true",
        is_standalone: standalone === "true",
        // `updated_at` is from the first on and before the second.
        from_time: from && within(calendar.startOf(from)),
        before_time: to && within(calendar.endOf(to)),
        page_size: page.limit,
        after_score: afterScore,
        after_at: afterAt,
        after_id: afterKey,
      },
    });
  },
});
