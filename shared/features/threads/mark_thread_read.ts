import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { threadColumns } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { requireThread, threadId, ThreadWithState } from "./fields.ts";

/** Marks all messages of a thread as read, and returns the thread. */
export const operation = defineEndpoint({
  name: "markThreadRead",
  method: "POST",
  path: "/threads/:threadId/read",
  scope: "threads:write",
  failure: "Failed to mark the thread as read",
  isRepeatable: true,
  errors: () => [errors.threadNotFound()],
  input: z.object({ threadId }),
  output: ThreadWithState,
  verb: async ({ database, userId }, { threadId }) =>
    requireThread(await database.callForBytes("mark_read", threadColumns({ threadId, userId }))),
});
