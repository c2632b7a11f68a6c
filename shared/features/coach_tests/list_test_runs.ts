import * as z from "zod/mini";
import { listOf } from "../../core/wire/fields.ts";
import { coachColumns } from "../../core/wire/ids.ts";
import { numberedPageColumns } from "../../core/wire/paging.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, ofRoles } from "../experts/fields.ts";
import { pageOfNumbers, TestRunSummary } from "./fields.ts";

export const TestRunList = listOf(TestRunSummary, "runs", "Newest first; the newest 50 are kept");

/** The runs of a coach. */
export const operation = defineEndpoint({
  name: "listTestRuns",
  method: "GET",
  path: "/coaches/:coachId/test-runs",
  scope: "expert",
  failure: "Failed to fetch test runs",
  errors: ofRoles,
  input: z.object({ coachId, ...pageOfNumbers }),
  output: TestRunList,
  verb: ({ database, userId }, { coachId, ...page }) =>
    database.callForBytes("list_test_runs", { ...coachColumns({ coachId, userId }), ...numberedPageColumns(page) }),
});
