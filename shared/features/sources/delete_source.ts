import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, ofWriters, sourceColumns, sourceId } from "./fields.ts";

export const DeletedSource = z.object({
  message: z.literal("Source deleted successfully"),
  sourceId: z.string(),
});

/** Deletes a source with the files of its pages. The indexer removes their objects and words. */
export const operation = defineEndpoint({
  name: "deleteSource",
  method: "DELETE",
  path: "/knowledge-handler/sources/:sourceId",
  scope: "knowledge:write",
  failure: "Failed to delete the source",
  errors: () => [...ofWriters(), errors.sourceNotFound()],
  input: z.object({ coachId, sourceId }),
  output: DeletedSource,
  async verb({ services, database, userId, log }, source): Promise<z.infer<typeof DeletedSource>> {
    await database.callForBytes("save_source", { user_id: userId, ...sourceColumns(source) });
    services.waitUntil(services.wakeIndexer(log));
    return { message: "Source deleted successfully", sourceId: source.sourceId };
  },
});
