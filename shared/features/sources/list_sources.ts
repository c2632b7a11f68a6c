import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { listOf } from "../../core/wire/fields.ts";
import { cursorField, limitField, numberedPageColumns } from "../../core/wire/paging.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, KnowledgeSource } from "./fields.ts";

export const KnowledgeSourceList = listOf(KnowledgeSource, "sources", "Newest first");

/** The sources of a coach. */
export const operation = defineEndpoint({
  name: "listSources",
  method: "GET",
  path: "/knowledge-handler/sources",
  scope: "knowledge:read",
  failure: "Failed to fetch sources",
  errors: () => [errors.coachNotFound()],
  // A cursor is the number of the last source of the page before.
  input: z.object({ coachId, limit: limitField, cursor: cursorField(/^\d{1,15}$/) }),
  output: KnowledgeSourceList,
  verb: ({ database }, { coachId, ...page }) =>
    database.callForBytes("list_sources", { coach_id: coachId, ...numberedPageColumns(page) }),
});
