import * as z from "zod/mini";
import { Excerpt, ThreadWithState } from "../threads/replies.ts";
import { ExpertRequest } from "../requests/replies.ts";
import { Count, Timestamp } from "../../core/wire/fields.ts";

/** A thread as the expert behind its coach sees it. */
export const Conversation = z.object({
  ...ThreadWithState.shape,
  needs_reply_at: z.nullable(Timestamp).check(
    z.describe("The time since which somebody has been waiting for the expert; null if nobody is"),
  ),
  request: z.nullable(ExpertRequest).check(
    z.describe("The request to the expert that has waited longest; null if none waits"),
  ),
  has_down: z.boolean().check(z.describe("Whether an answer in the thread has a thumbs-down")),
  excerpt: z.optional(Excerpt),
});

/** Reply of `GET /coaches/{coachId}/threads`. */
export const ConversationList = z.object({
  data: z.array(Conversation).check(z.describe("Most recently updated first; best match first with a search")),
  count: Count.check(z.describe("The number of threads in `data`")),
  next_cursor: z.nullable(z.string()).check(z.describe("The `cursor` of the next page, null on the last")),
});

const counts = {
  turns: Count.check(z.describe("Answers that have ended, including failed ones and those to tests")),
  input_tokens: Count.check(z.describe("Input tokens of the model")),
  cached_tokens: Count.check(
    z.describe("Input tokens, among `input_tokens`, that the model's server had in its cache"),
  ),
  output_tokens: Count.check(z.describe("Output tokens of the model")),
  reasoning_tokens: Count.check(z.describe("Output tokens, among `output_tokens`, that were the model's thoughts")),
  estimated_turns: Count.check(
    z.describe("Answers whose tokens are estimated at least in part, because the model's server did not report them"),
  ),
  cost_micro_usd: Count.check(
    z.describe("The cost of the answers whose model had a price, in millionths of a US dollar"),
  ),
  unpriced_turns: Count.check(z.describe("Answers whose cost is not known, because their model had no price")),
  people: Count.check(z.describe("The number of different people who asked, without erased users")),
  questions_opened: Count.check(z.describe("Open questions that were first asked on that day")),
  feedback_up: Count.check(z.describe("Thumbs-up on answers of that day")),
  feedback_down: Count.check(z.describe("Thumbs-down on answers of that day")),
};

const Day = z.string().check(z.meta({ format: "date" }));

/** The usage of a coach on a day. */
export const UsageOfDay = z.object({ day: Day, ...counts });

/** Reply of `GET /coaches/{coachId}/usage`. */
export const CoachUsage = z.object({
  data: z.array(UsageOfDay).check(z.describe("Every day (UTC), earliest first")),
  from: Day.check(z.describe("The first of these days")),
  to: Day.check(z.describe("The last of these days")),
  totals: z.object(counts).check(
    z.describe("All days together. A person who asked on several days counts once"),
  ),
});
