import * as z from "zod/mini";
import { listOf } from "../../core/wire/fields.ts";
import { coachColumns } from "../../core/wire/ids.ts";
import { pageColumns, pageFields } from "../../core/wire/paging.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, ofExperts } from "../experts/fields.ts";
import { BarredPassage } from "./fields.ts";

export const BarredPassageList = listOf(BarredPassage, "passages", "Newest first");

/** The passages that a coach's answers do not draw on. */
export const operation = defineEndpoint({
  name: "listBarredPassages",
  method: "GET",
  path: "/coaches/:coachId/barred-passages",
  scope: "expert",
  failure: "Failed to fetch barred passages",
  errors: ofExperts,
  input: z.object({ coachId, ...pageFields(/[0-9a-f]{32}/) }),
  output: BarredPassageList,
  verb: ({ database, userId }, { coachId, ...page }) =>
    database.callForBytes("list_barred_passages", { ...coachColumns({ coachId, userId }), ...pageColumns(page) }),
});
