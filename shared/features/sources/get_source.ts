import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, KnowledgeSource, sourceColumns, sourceId } from "./fields.ts";

export const KnowledgeSourceDetail = z.object({
  ...KnowledgeSource.shape,
  failures: z.array(z.object({ url: z.string(), reason: z.string() })).check(
    z.describe(
      "Pages that could not be read or used, or not to their end, and why: at most 20. The last text of a page stays",
    ),
  ),
});

/** A source, with the pages that could not be read. */
export const operation = defineEndpoint({
  name: "getSource",
  method: "GET",
  path: "/knowledge-handler/sources/:sourceId",
  scope: "knowledge:read",
  failure: "Failed to fetch the source",
  errors: () => [errors.coachNotFound(), errors.sourceNotFound()],
  input: z.object({ coachId, sourceId }),
  output: KnowledgeSourceDetail,
  verb: ({ database }, source) => database.callForBytes("get_source", sourceColumns(source)),
});
