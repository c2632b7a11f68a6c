import * as z from "zod/mini";
import { Count, NextCursor, Timestamp, Uuid } from "../../core/wire/fields.ts";
import { questionReasons, questionStatuses } from "./statuses.ts";

/** A question that the persona could not answer well. */
export const OpenQuestion = z.object({
  id: Uuid,
  question: z.nullable(z.string()).check(
    z.describe("The question in one sentence, without personal details; null until there is one (see `message_id`)"),
  ),
  status: z.enum(questionStatuses),
  times: Count.check(z.describe("How often it was asked")),
  people: Count.check(z.describe("By how many different people it was asked")),
  first_asked_at: Timestamp,
  last_asked_at: Timestamp,
  reasons: z.array(z.enum(questionReasons)).check(
    z.describe(
      "The reason: the model did not know the answer (`unknown`), an answer got a thumbs-down (`feedback`), or " +
        "somebody asked for a human (`human`)",
    ),
  ),
  pinned_answer_id: z.nullable(z.string()).check(z.describe("The pinned answer to it")),
  thread_id: z.nullable(z.string()).check(z.describe("The thread in which it was last asked")),
  message_id: z.nullable(z.string()).check(z.describe("The answer in that thread that did not answer it")),
});
export type OpenQuestion = z.infer<typeof OpenQuestion>;

/** Reply of `GET /coaches/{coachId}/questions`. */
export const QuestionList = z.object({
  data: z.array(OpenQuestion).check(z.describe("Those that most people asked first")),
  count: Count.check(z.describe("The number of questions in `data`")),
  next_cursor: NextCursor,
});
