import * as z from "zod/mini";
import { defineEndpoint } from "../../http/endpoint.ts";
import { callRepeatable } from "../../infra/db/account_database.ts";
import { coachId, ofQuestions, OpenQuestion, questionColumns, questionId } from "./fields.ts";

/** Puts a question back to the open ones. */
export const operation = defineEndpoint({
  name: "reopenQuestion",
  method: "POST",
  path: "/coaches/:coachId/questions/:questionId/reopen",
  scope: "expert",
  failure: "Failed to reopen the question",
  isRepeatable: true,
  errors: ofQuestions,
  input: z.object({ coachId, questionId }),
  output: OpenQuestion,
  async verb({ database, userId }, question) {
    const args = { ...questionColumns({ ...question, userId }), status: "open" };
    return await callRepeatable(database, "decide_question", args, OpenQuestion);
  },
});
