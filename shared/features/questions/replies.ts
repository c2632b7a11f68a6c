import * as z from "zod/mini";
import { Count, NextCursor, Timestamp, Uuid } from "../../core/wire/fields.ts";
import { questionReasons, questionStatuses } from "./statuses.ts";

/** A question that the persona could not answer well. */
export const OpenQuestion = z.object({
  id: Uuid,
  question: z.nullable(z.string()).check(
    z.describe("The question in one sentence, without personal details; null until there is one: see `message_id`"),
  ),
  status: z.enum(questionStatuses),
  times: Count.check(z.describe("How often it was asked")),
  people: Count.check(z.describe("By how many different people")),
  first_asked_at: Timestamp,
  last_asked_at: Timestamp,
  reasons: z.array(z.enum(questionReasons)).check(
    z.describe(
      "Why it is here: the model did not know (`unknown`), an answer has a thumbs-down (`feedback`), somebody asked for " +
        "a human (`human`)",
    ),
  ),
  pinned_answer_id: z.nullable(z.string()).check(z.describe("The pinned answer that answers it")),
  thread_id: z.nullable(z.string()).check(z.describe("Where it was asked last")),
  message_id: z.nullable(z.string()).check(z.describe("The answer there that did not answer it")),
});
export type OpenQuestion = z.infer<typeof OpenQuestion>;

/** Reply of `GET /coaches/{coachId}/questions`. */
export const QuestionList = z.object({
  data: z.array(OpenQuestion).check(z.describe("Those that most people have asked first")),
  count: Count.check(z.describe("The number of questions in `data`")),
  next_cursor: NextCursor,
});
