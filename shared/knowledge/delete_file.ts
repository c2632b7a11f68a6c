import { deadline } from "deno-std/async/deadline.js";
import type { RequestContext } from "../context.ts";
import { describeError } from "../log.ts";
import { uuidPattern } from "../wire/uuid.ts";
import type { DeleteReply } from "./replies.ts";
import { requireWriter } from "./require_writer.ts";
import { DeleteFileReply } from "./schemas.ts";

/** Which file of which coach. */
export type DeleteFileInput = { coachId: string; fileId: string };

/**
 * Deletes a file: its row and passages at once, then the stored object. Where Storage fails the next sweep removes the
 * object; the file is gone all the same.
 *
 * @throws 403, 404 when the caller may not, or there is no such file.
 */
export async function deleteFile(
  { services, caller, log }: RequestContext,
  { coachId, fileId }: DeleteFileInput,
): Promise<DeleteReply> {
  const { storage_path } = requireWriter(DeleteFileReply.parse(
    await services.database.call("delete_knowledge_file", {
      account_id: caller.accountId,
      coach_id: coachId,
      user_id: caller.userId,
      // No file has this one: coach and writer are still judged first.
      file_id: uuidPattern.test(fileId) ? fileId : "00000000-0000-0000-0000-000000000000",
    }),
  ));
  try {
    await deadline(services.files.remove([storage_path]), services.timeouts.removal);
  } catch (error) {
    log("warn", "object_not_removed", { reason: describeError(error) });
  }
  return { message: "File deleted successfully", fileId };
}
