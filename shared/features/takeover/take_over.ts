import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { requiredId } from "../../core/wire/fields.ts";
import { threadColumns } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { callRepeatable } from "../../infra/db/account_database.ts";
import { ThreadWithState } from "../threads/fields.ts";

export const threadId = requiredId("threadId", "The thread: `thread_id` of an answer, or `id` in a list of threads");

/** Starts or extends a takeover of a thread. An answer that is being written ends; without text, its question waits. */
export const operation = defineEndpoint({
  name: "takeOver",
  method: "POST",
  path: "/threads/:threadId/takeover",
  scope: "expert",
  failure: "Failed to take the thread over",
  // Taking over twice has the same effect as once.
  isRepeatable: true,
  errors: () => [errors.notTheExpert(), errors.threadNotFound()],
  input: z.object({ threadId }),
  output: ThreadWithState,
  async verb({ database, userId }, { threadId }) {
    const columns = threadColumns({ threadId, userId });
    const { thread } = await callRepeatable(database, "take_over", columns, z.object({ thread: ThreadWithState }));
    return thread;
  },
});
