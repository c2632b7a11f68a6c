import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { threadColumns } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { requireThread, threadId } from "./fields.ts";

const DeletedThread = z.object({ message: z.literal("Thread deleted successfully"), threadId: z.string() });

/** Deletes a thread with its messages. The run of an answer in it ends with its next save. */
export const operation = defineEndpoint({
  name: "deleteThread",
  method: "DELETE",
  path: "/threads/:threadId",
  pathWithoutParameter: "/threads",
  scope: "threads:write",
  failure: "Failed to delete the thread",
  errors: () => [errors.threadNotFound()],
  input: z.object({ threadId }),
  output: DeletedThread,
  async verb({ database, userId }, { threadId }): Promise<z.infer<typeof DeletedThread>> {
    requireThread(await database.callForBytes("delete_thread", threadColumns({ threadId, userId })));
    return { message: "Thread deleted successfully", threadId };
  },
});
