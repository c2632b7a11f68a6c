import * as z from "zod/mini";
import { ThreadWithState } from "../threads/replies.ts";
import { Count, Timestamp } from "../wire/fields.ts";

/** A thread as the expert behind its coach sees it. */
export const Conversation = z.object({
  ...ThreadWithState.shape,
  needs_reply_at: z.nullable(Timestamp).check(
    z.describe("Since when somebody waits for the expert; null where nobody does"),
  ),
  has_down: z.boolean().check(z.describe("Whether an answer has a thumbs-down")),
});

/** Reply of `GET /coaches/{coachId}/threads`. */
export const ConversationList = z.object({
  data: z.array(Conversation).check(z.describe("Most recently updated first; best match first with a search")),
  count: Count.check(z.describe("The number of threads in `data`")),
  next_cursor: z.nullable(z.string()).check(z.describe("The `cursor` of the next page, null on the last")),
});
