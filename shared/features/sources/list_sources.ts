import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { Count, NextCursor } from "../../core/wire/fields.ts";
import { cursorField, limitField, numberedPageColumns } from "../../core/wire/paging.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, KnowledgeSource } from "./fields.ts";

export const KnowledgeSourceList = z.object({
  data: z.array(KnowledgeSource).check(z.describe("Newest first")),
  count: Count.check(z.describe("The number of sources in `data`")),
  next_cursor: NextCursor,
});

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
