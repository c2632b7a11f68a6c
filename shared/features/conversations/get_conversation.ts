import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { requiredId } from "../../core/wire/fields.ts";
import { coachColumns, threadColumns } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { Conversation } from "./list_conversations.ts";

/** A conversation as the list of all of them shows it. */
export const operation = defineEndpoint({
  name: "getConversation",
  method: "GET",
  path: "/coaches/:coachId/threads/:threadId",
  scope: "expert",
  failure: "Failed to fetch the conversation",
  errors: () => [errors.coachNotFound(), errors.notTheExpert(), errors.threadNotFound()],
  input: z.object({
    coachId: requiredId("coachId", "The coach"),
    threadId: requiredId("threadId", "The thread"),
  }),
  output: Conversation,
  async verb({ database, userId }, { coachId, threadId }) {
    const { thread_id } = threadColumns({ threadId, userId });
    return await database.callForBytes("update_conversation", { ...coachColumns({ coachId, userId }), thread_id });
  },
});
