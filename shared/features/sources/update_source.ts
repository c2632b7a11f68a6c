import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import {
  coachId,
  described,
  KnowledgeSource,
  ofWriters,
  pageLimit,
  refreshField,
  sourceColumns,
  sourceId,
} from "./fields.ts";

/** Changes how often a source is read, or how many pages it may have. */
export const operation = defineEndpoint({
  name: "updateSource",
  method: "PATCH",
  path: "/knowledge-handler/sources/:sourceId",
  query: ["coachId"],
  body: "application/json",
  scope: "knowledge:write",
  failure: "Failed to update the source",
  isRepeatable: true,
  errors: () => [...ofWriters(), errors.sourceNotFound()],
  input: z.object({
    coachId,
    sourceId,
    refresh: z.optional(refreshField).check(z.describe(described.refresh)),
    limit: z.optional(pageLimit).check(
      z.describe(`${described.limit}. A lower limit deletes the pages beyond it at the next refresh`),
    ),
  }).check(
    z.refine(
      ({ refresh, limit }) => refresh !== undefined || limit !== undefined,
      "One of refresh and limit is required",
    ),
  ),
  output: KnowledgeSource,
  verb: ({ database, userId }, { refresh, limit, ...source }) =>
    database.callForBytes("save_source", {
      user_id: userId,
      ...sourceColumns(source),
      fields: { refresh, page_limit: limit },
    }),
});
