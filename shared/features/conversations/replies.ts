import * as z from "zod/mini";
import { ThreadWithState } from "../threads/replies.ts";
import { Count, Timestamp } from "../../core/wire/fields.ts";

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

const counts = {
  turns: Count.check(z.describe("Answers that have ended, well or not")),
  input_tokens: Count.check(z.describe("Tokens that the model read")),
  output_tokens: Count.check(z.describe("Tokens that the model wrote")),
  people: Count.check(z.describe("How many different people have asked; who was erased is not counted")),
  questions_opened: Count.check(z.describe("Open questions that were first asked then")),
  feedback_up: Count.check(z.describe("Answers that have a thumbs-up from then")),
  feedback_down: Count.check(z.describe("Answers that have a thumbs-down from then")),
};

const Day = z.string().check(z.meta({ format: "date" }));

/** What a coach was used for on a day. */
export const UsageOfDay = z.object({ day: Day, ...counts });

/** Reply of `GET /coaches/{coachId}/usage`. */
export const CoachUsage = z.object({
  data: z.array(UsageOfDay).check(z.describe("Every day, the earliest first; days are those of UTC")),
  from: Day.check(z.describe("The first of these days")),
  to: Day.check(z.describe("The last of these days")),
  totals: z.object(counts).check(
    z.describe("All days together; who has asked on several counts once among the people"),
  ),
});
