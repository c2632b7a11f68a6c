import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, KnowledgeSource, ofWriters, sourceColumns, sourceId } from "./fields.ts";

/** Has a source read again now, from the beginning. */
export const operation = defineEndpoint({
  name: "refreshSource",
  method: "POST",
  path: "/knowledge-handler/sources/:sourceId/refresh",
  scope: "knowledge:write",
  failure: "Failed to refresh the source",
  isRepeatable: true,
  errors: () => [...ofWriters(), errors.sourceNotFound()],
  input: z.object({ coachId, sourceId }),
  output: KnowledgeSource,
  async verb({ services, database, userId, log }, source) {
    const columns = { user_id: userId, ...sourceColumns(source) };
    const refreshed = await database.callForBytes("save_source", { ...columns, fields: { is_queued: true } });
    services.waitUntil(services.wakeFetcher(log));
    return refreshed;
  },
});
