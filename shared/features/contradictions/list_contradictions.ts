import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { listOf } from "../../core/wire/fields.ts";
import { cursorField, limitField, numberedPageColumns } from "../../core/wire/paging.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, Contradiction } from "./fields.ts";

export const ContradictionList = listOf(Contradiction, "contradictions", "Newest first");

/** The contradictions between files of a coach that nobody has settled. */
export const operation = defineEndpoint({
  name: "listContradictions",
  method: "GET",
  path: "/knowledge-handler/contradictions",
  scope: "knowledge:read",
  failure: "Failed to fetch contradictions",
  errors: () => [errors.coachNotFound()],
  input: z.object({ coachId, limit: limitField, cursor: cursorField(/^\d{1,15}$/) }),
  output: ContradictionList,
  verb: ({ database }, { coachId, ...page }) =>
    database.callForBytes("list_contradictions", { coach_id: coachId, ...numberedPageColumns(page) }),
});
