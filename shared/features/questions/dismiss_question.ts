import * as z from "zod/mini";
import { defineEndpoint } from "../../http/endpoint.ts";
import { callRepeatable } from "../../infra/db/account_database.ts";
import { coachId, ofQuestions, OpenQuestion, questionColumns, questionId } from "./fields.ts";

/** Removes a question from the open ones. It is still counted, and reopens if many more people ask it. */
export const operation = defineEndpoint({
  name: "dismissQuestion",
  method: "POST",
  path: "/coaches/:coachId/questions/:questionId/dismiss",
  scope: "expert",
  failure: "Failed to dismiss the question",
  isRepeatable: true,
  errors: ofQuestions,
  input: z.object({ coachId, questionId }),
  output: OpenQuestion,
  async verb({ database, userId }, question) {
    const args = { ...questionColumns({ ...question, userId }), status: "dismissed" };
    return await callRepeatable(database, "decide_question", args, OpenQuestion);
  },
});
