import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, ofExperts } from "../experts/fields.ts";
import { replyColumns, replyId } from "./list_replies.ts";

export const DeletedReply = z.object({ message: z.literal("Reply deleted successfully"), replyId: z.string() });

/** Deletes a saved reply. What was written with it stays. */
export const operation = defineEndpoint({
  name: "deleteReply",
  method: "DELETE",
  path: "/coaches/:coachId/replies/:replyId",
  scope: "expert",
  failure: "Failed to delete the saved reply",
  errors: () => [...ofExperts(), errors.replyNotFound()],
  input: z.object({ coachId, replyId }),
  output: DeletedReply,
  async verb({ database, userId }, reply): Promise<z.infer<typeof DeletedReply>> {
    await database.callForBytes("save_reply", replyColumns({ ...reply, userId }));
    return { message: "Reply deleted successfully", replyId: reply.replyId };
  },
});
