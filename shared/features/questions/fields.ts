import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { Count, requiredId, Timestamp, Uuid } from "../../core/wire/fields.ts";
import { type CoachAccess, coachColumns, uuidOrNull } from "../../core/wire/ids.ts";
import { ofExperts } from "../experts/fields.ts";

export const coachId = requiredId("coachId", "The coach");
export const questionId = requiredId("questionId", "`id` in the list of questions");

/** The expert's progress with a question. */
export const questionStatuses = ["open", "answered", "dismissed"] as const;

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
  reasons: z.array(z.enum(["unknown", "feedback", "human"])).check(
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

/** The errors of every operation on one question. */
export const ofQuestions = () => [...ofExperts(), errors.questionNotFound()];

/** A question and the caller, as the SQL functions take them. @throws 404 for a coach that nobody has. */
export function questionColumns({ questionId, ...access }: CoachAccess & { questionId: string }) {
  return { ...coachColumns(access), question_id: uuidOrNull(questionId) };
}
