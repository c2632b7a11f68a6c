import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, ofRoles } from "../experts/fields.ts";
import { runColumns, runId, TestRun } from "./fields.ts";

/** Stops a run: what has not begun is left out, what is under way given up. One that has ended stays as it is. */
export const operation = defineEndpoint({
  name: "stopTestRun",
  method: "POST",
  path: "/coaches/:coachId/test-runs/:runId/stop",
  scope: "expert",
  failure: "Failed to stop the tests",
  isRepeatable: true,
  errors: () => [...ofRoles(), errors.testRunNotFound()],
  input: z.object({ coachId, runId }),
  output: TestRun,
  verb: ({ database, userId }, run) =>
    database.callForBytes("get_test_run", { ...runColumns({ ...run, userId }), stops: true }),
});
