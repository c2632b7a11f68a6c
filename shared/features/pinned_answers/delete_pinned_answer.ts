import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, ofRoles } from "../experts/fields.ts";
import { answerColumns, answerId } from "./fields.ts";

export const DeletedPinnedAnswer = z.object({
  message: z.literal("Pinned answer deleted successfully"),
  answerId: z.string(),
});

/** Deletes a pinned answer with its versions. Answers that were given from it stay. */
export const operation = defineEndpoint({
  name: "deletePinnedAnswer",
  method: "DELETE",
  path: "/coaches/:coachId/answers/:answerId",
  scope: "expert",
  failure: "Failed to delete the pinned answer",
  errors: () => [...ofRoles(), errors.pinnedAnswerNotFound()],
  input: z.object({ coachId, answerId }),
  output: DeletedPinnedAnswer,
  async verb({ database, userId }, answer): Promise<z.infer<typeof DeletedPinnedAnswer>> {
    await database.callForBytes("delete_pinned_answer", answerColumns({ ...answer, userId }));
    return { message: "Pinned answer deleted successfully", answerId: answer.answerId };
  },
});
