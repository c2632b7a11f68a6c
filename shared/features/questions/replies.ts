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
  off_topic: z.boolean().check(
    z.describe(
      "True if the coach's files have nothing to do with it: no passage has a rare word of the question, one that at " +
        "most a fifth of the passages contain. Never if somebody has asked for a human",
    ),
  ),
  is_requested: z.boolean().check(
    z.describe("True if somebody who asked it waits for the expert in person; such questions are listed first"),
  ),
  pinned_answer_id: z.nullable(z.string()).check(z.describe("The pinned answer to it")),
  thread_id: z.nullable(z.string()).check(z.describe("The thread in which it was last asked")),
  message_id: z.nullable(z.string()).check(z.describe("The answer in that thread that did not answer it")),
});
export type OpenQuestion = z.infer<typeof OpenQuestion>;

/** Reply of `POST /coaches/{coachId}/questions/dismiss`. */
export const DismissedQuestions = z.object({
  question_ids: z.array(Uuid).check(z.describe("The questions that were dismissed; each can be reopened")),
});
export type DismissedQuestions = z.infer<typeof DismissedQuestions>;

/** Someone who asked a question in other words. */
export const MergedAsking = z.object({
  id: Uuid,
  thread_id: Uuid,
  asked_at: Timestamp,
  words: z.nullable(z.string()).check(
    z.describe(
      "The message of the person, at most 500 characters of it; null if the key lacks the scope `threads:read`",
    ),
  ),
});

/** A question of a list. */
export const ListedQuestion = z.object({
  ...OpenQuestion.shape,
  chats: z.optional(Count).check(
    z.describe(
      "With `include=askings`: how many threads get an answer, without those of `merged_askings`. Archived threads are " +
        "left out; 10,000 is the maximum",
    ),
  ),
  merged_askings: z.optional(z.array(MergedAsking)).check(
    z.describe(
      "With `include=askings`: the newest 100 people who have asked in other words, which a model has found to mean " +
        "the same. They get an answer only if its `notify` names them",
    ),
  ),
});

/** Reply of `POST /coaches/{coachId}/questions/{questionId}/answer`. */
export const AnsweredQuestion = z.object({
  ...OpenQuestion.shape,
  notified: Count.check(
    z.describe("In how many threads the answer is now, as a message of the expert; each has it once"),
  ),
});
export type AnsweredQuestion = z.infer<typeof AnsweredQuestion>;

/** Reply of `GET /coaches/{coachId}/questions`. */
export const QuestionList = z.object({
  data: z.array(ListedQuestion).check(z.describe("Those that most people asked first; of those, the latest first")),
  count: Count.check(z.describe("The number of questions in `data`")),
  next_cursor: NextCursor,
});
