import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { deadline } from "../../libs/base/std/async.ts";
import { requiredId } from "../../core/wire/fields.ts";
import { repeat } from "../../core/sweeps.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import { describeError } from "../../libs/base/log.ts";
import { coachId, fileColumns } from "./fields.ts";

const DeleteReply = z.object({ message: z.literal("File deleted successfully"), fileId: z.string() });
const DeletedFile = replyObject({ storage_path: z.string() });

/**
 * Deletes a file: its row and passages, then the stored object. Where Storage fails the next sweep removes the object.
 * What the search index has of the passages, which no search finds, is removed after the reply.
 */
export const operation = defineEndpoint({
  name: "deleteFile",
  method: "DELETE",
  path: "/knowledge-handler/:fileId",
  scope: "knowledge:write",
  failure: "Failed to delete file",
  isRepeatable: true,
  errors: () => [errors.coachNotFound(), errors.fileNotFound(), errors.notTheCoach()],
  input: z.object({
    coachId,
    fileId: requiredId("fileId", "The file to delete: `fileId` in the reply to an upload or a search"),
  }),
  output: DeleteReply,
  async verb({ services, database, userId, log }, { coachId, fileId }): Promise<z.infer<typeof DeleteReply>> {
    const columns = { ...fileColumns({ coachId, fileId }), user_id: userId };
    const { storagePath } = await database.call("delete_knowledge_file", columns, DeletedFile);
    // A batch at a time. Those of a coach whose index is being changed have to wait for the next sweep.
    const unindexing = repeat(() => services.database.call("unindex_passages", {}, z.boolean()), () => true);
    services.waitUntil(
      unindexing.catch((error) => log("warn", "passages_not_unindexed", { reason: describeError(error) })),
    );
    try {
      await deadline(services.files.remove([storagePath]), services.timeouts.removal);
    } catch (error) {
      log("warn", "object_not_removed", { reason: describeError(error) });
    }
    return { message: "File deleted successfully", fileId };
  },
});
