import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { requiredId } from "../../core/wire/fields.ts";
import { threadColumns, uuidOrNull } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { callRepeatable } from "../../infra/db/account_database.ts";
import { ExpertRequest, threadId } from "./fields.ts";

/** Takes a request back. */
export const operation = defineEndpoint({
  name: "withdrawRequest",
  method: "DELETE",
  path: "/threads/:threadId/requests/:requestId",
  scope: "threads:write",
  failure: "Failed to take the request back",
  isRepeatable: true,
  errors: () => [errors.threadNotFound(), errors.requestNotFound()],
  input: z.object({ threadId, requestId: requiredId("requestId", "`id` in the list of requests") }),
  output: ExpertRequest,
  verb: ({ database, userId }, { threadId, requestId }) =>
    callRepeatable(database, "withdraw_request", {
      ...threadColumns({ threadId, userId }),
      request_id: uuidOrNull(requestId),
    }, ExpertRequest),
});
