import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { threadColumns } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { callRepeatable } from "../../infra/db/account_database.ts";
import { ThreadWithState } from "../threads/fields.ts";
import { threadId } from "./take_over.ts";

const ReleasedThread = z.object({
  thread: ThreadWithState,
  /** True if a question waits for an answer. */
  is_waiting: z.boolean(),
});

/** Hands a thread back to the model. Questions that wait are answered by it in the background. */
export const operation = defineEndpoint({
  name: "releaseThread",
  method: "POST",
  path: "/threads/:threadId/release",
  scope: "expert",
  failure: "Failed to release the thread",
  isRepeatable: true,
  errors: () => [errors.notTheExpert(), errors.threadNotFound()],
  input: z.object({ threadId }),
  output: ThreadWithState,
  async verb({ database, userId, services, log }, { threadId }) {
    const columns = threadColumns({ threadId, userId });
    const { thread, is_waiting } = await callRepeatable(database, "release_thread", columns, ReleasedThread);
    if (is_waiting) services.waitUntil(services.wakeIndexer(log));
    return thread;
  },
});
