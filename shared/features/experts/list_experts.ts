import * as z from "zod/mini";
import { listOf } from "../../core/wire/fields.ts";
import { coachColumns } from "../../core/wire/ids.ts";
import { pageColumns, pageFields, uuidKey } from "../../core/wire/paging.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, Expert, ofExperts } from "./fields.ts";

export const ExpertList = listOf(Expert, "experts", "Those who have been experts for longest first");

/** The experts of a coach, for each of them. */
export const operation = defineEndpoint({
  name: "listExperts",
  method: "GET",
  path: "/coaches/:coachId/experts",
  scope: "expert",
  failure: "Failed to fetch the experts",
  errors: ofExperts,
  // The cursor contains the ID, because experts may have been added at the same time.
  input: z.object({ coachId, ...pageFields(uuidKey) }),
  output: ExpertList,
  verb: ({ database, userId }, { coachId, ...page }) =>
    database.callForBytes("list_experts", { ...coachColumns({ coachId, userId }), ...pageColumns(page) }),
});
