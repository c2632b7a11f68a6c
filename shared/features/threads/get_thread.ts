import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { threadColumns } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { requireThread, threadId, ThreadWithState } from "./fields.ts";

/** A thread with its state: for its user, and for the expert behind its coach. */
export const operation = defineEndpoint({
  name: "getThread",
  method: "GET",
  path: "/threads/:threadId",
  pathWithoutParameter: "/threads",
  scope: "threads:read",
  failure: "Failed to fetch the thread",
  errors: () => [errors.threadNotFound()],
  input: z.object({ threadId }),
  output: ThreadWithState,
  verb: async ({ database, userId }, { threadId }) =>
    requireThread(await database.callForBytes("read_thread", threadColumns({ threadId, userId }))),
});
