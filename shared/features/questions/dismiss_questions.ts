import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { Uuid } from "../../core/wire/fields.ts";
import { coachColumns, uuidPattern } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { callRepeatable } from "../../infra/db/account_database.ts";
import { ofExperts } from "../experts/fields.ts";
import { coachId } from "./fields.ts";

export const DismissedQuestions = z.object({
  question_ids: z.array(Uuid).check(z.describe("The questions that were dismissed; each can be reopened")),
});

/** Dismisses the open questions that nobody but the person of a thread has asked. */
export const operation = defineEndpoint({
  name: "dismissQuestions",
  method: "POST",
  path: "/coaches/:coachId/questions/dismiss",
  body: "application/json",
  scope: "expert",
  failure: "Failed to dismiss the questions",
  isRepeatable: true,
  errors: () => [...ofExperts(), errors.threadNotFound()],
  input: z.object({
    coachId,
    thread_id: z.string("thread_id must be a string").check(
      z.regex(uuidPattern, "thread_id must be a UUID"),
      z.describe("A thread with this coach: `thread_id` in the list of questions"),
    ),
    of_person: z._default(z.boolean("of_person must be true or false"), false).check(
      z.describe("If true, dismisses what the person of the thread has asked in any thread with this coach"),
    ),
  }),
  output: DismissedQuestions,
  async verb({ database, userId }, { coachId, ...questions }) {
    const args = { ...coachColumns({ coachId, userId }), ...questions };
    return await callRepeatable(database, "dismiss_questions", args, DismissedQuestions);
  },
});
