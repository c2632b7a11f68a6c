import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, ofExperts } from "../experts/fields.ts";
import { contentField, nameField, replyColumns, replyId, SavedReply } from "./list_replies.ts";

/** Changes a saved reply. */
export const operation = defineEndpoint({
  name: "updateReply",
  method: "PATCH",
  path: "/coaches/:coachId/replies/:replyId",
  body: "application/json",
  scope: "expert",
  failure: "Failed to change the saved reply",
  isRepeatable: true,
  errors: () => [...ofExperts(), errors.replyNotFound()],
  input: z.object({ coachId, replyId, name: z.optional(nameField), content: z.optional(contentField) }),
  output: SavedReply,
  verb: ({ database, userId }, { coachId, replyId, ...fields }) =>
    database.callForBytes("save_reply", { ...replyColumns({ coachId, userId, replyId }), fields }),
});
