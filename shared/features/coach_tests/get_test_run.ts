import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, ofRoles } from "../experts/fields.ts";
import { runColumns, runId, TestRun } from "./fields.ts";

/** A run with its results so far. */
export const operation = defineEndpoint({
  name: "getTestRun",
  method: "GET",
  path: "/coaches/:coachId/test-runs/:runId",
  scope: "expert",
  failure: "Failed to fetch the test run",
  errors: () => [...ofRoles(), errors.testRunNotFound()],
  input: z.object({ coachId, runId }),
  output: TestRun,
  verb: ({ database, userId }, run) =>
    database.callForBytes("get_test_run", { ...runColumns({ ...run, userId }), stops: false }),
});
