import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { Count } from "../../core/wire/fields.ts";
import { threadColumns } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { ExpertRequest, threadId } from "./fields.ts";

export const RequestList = z.object({
  data: z.array(ExpertRequest).check(z.describe("Newest first, with those that were taken back")),
  count: Count.check(z.describe("The number of requests in `data`")),
});

/** The requests of a thread: for its user, and for the experts of its coach, who have seen them then. */
export const operation = defineEndpoint({
  name: "listRequests",
  method: "GET",
  path: "/threads/:threadId/requests",
  scope: "threads:read",
  failure: "Failed to fetch the requests",
  errors: () => [errors.threadNotFound()],
  input: z.object({ threadId }),
  output: RequestList,
  verb: ({ database, userId }, { threadId }) =>
    database.callForBytes("list_requests", threadColumns({ threadId, userId })),
});
