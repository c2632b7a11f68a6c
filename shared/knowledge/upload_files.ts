import { createHash } from "node:crypto";
import type { RequestContext } from "../context.ts";
import { callRepeatable } from "../db/database.ts";
import { errors } from "../errors.ts";
import { identifyRequest, type RequestIdentity } from "../wire/idempotency_key.ts";
import { describeError } from "../log.ts";
import { isStorableText } from "../text/storable_text.ts";
import { type FileType, fileTypes, fitsType, typeOfName } from "./file_types.ts";
import type { SentFile } from "./read_upload.ts";
import type { UploadReply } from "./replies.ts";
import { requireWriter } from "./require_writer.ts";
import { BeginUploadReply, EndUploadReply } from "./schemas.ts";

/** Which files for which coach. */
export type UploadFilesInput = {
  coachId: string;
  files: AsyncIterable<SentFile> | Iterable<SentFile>;
  idempotencyKey?: string;
};

const supported = [...new Set([...fileTypes.values()].map((type) => type.name))].join(", ");

/**
 * Adds files to the knowledge of a coach. They appear all at once, when the last has been stored, and are indexed
 * afterwards. A file that cannot be accepted stops no other; whatever else goes wrong, none of them is kept. The same
 * files that came before with the same idempotency key are not added again: the reply is that of the first time.
 *
 * @throws 403, 404 when the caller may not; 422 when the key came with other files; 503 when Storage fails; whatever
 * reading the files throws.
 */
export async function uploadFiles(
  ctx: RequestContext,
  { coachId, files, idempotencyKey }: UploadFilesInput,
): Promise<UploadReply> {
  const { services, caller, requestId, log } = ctx;
  const begun = requireWriter(BeginUploadReply.parse(
    await services.database.call("begin_upload", {
      account_id: caller.accountId,
      coach_id: coachId,
      user_id: caller.userId,
    }),
  ));

  const failedFiles: UploadReply["failedFiles"] = [];
  const stored: Record<string, string | number>[] = [];
  let objects = 0;
  const sent: [name: string, digest: string][] = [];
  const endUpload = async (identity: RequestIdentity = {}) =>
    EndUploadReply.parse(
      await callRepeatable(services.database, "end_upload", {
        upload_id: begun.upload_id,
        coach_id: coachId,
        objects,
        files: stored,
        account_id: caller.accountId,
        user_id: caller.userId,
        request_id: requestId,
        ...identity,
      }),
    );

  let uploadedFiles;
  try {
    for await (const file of files) {
      const type = await checkFile(file);
      if (typeof type === "string") {
        failedFiles.push({ filename: file.name, error: type });
        // Hashed for the key alone: it may be as large as the whole upload.
        if (idempotencyKey !== undefined) sent.push([file.name, digestOf(file)]);
        continue;
      }
      objects++;
      const digest = digestOf(file);
      await storeFile(`${caller.accountId}/${begun.upload_id}/${objects}`, file, type);
      stored.push({
        object: objects,
        name: file.name,
        size: file.size,
        content_type: type.contentType,
        category: type.category,
        digest,
      });
      sent.push([file.name, digest]);
    }
    // Of what was sent, not of its bytes: every client draws the boundary between the parts anew.
    uploadedFiles = await endUpload(await identifyRequest(idempotencyKey, [coachId, sent]));
  } catch (error) {
    stored.length = 0;
    // In vain, the next sweep finds the upload abandoned.
    await endUpload().catch((cause) => log("warn", "upload_not_ended", { reason: describeError(cause) }));
    throw error;
  } finally {
    if (objects > 0) services.waitUntil(services.wakeIndexer(log));
  }
  if (uploadedFiles === null) throw errors.uploadTooSlow();
  if ("error" in uploadedFiles) throw errors.idempotencyKeyReused();
  return {
    uploadedFiles,
    failedFiles,
    totalUploaded: uploadedFiles.length,
    totalFailed: failedFiles.length,
  };

  async function storeFile(path: string, { chunks }: SentFile, { contentType }: FileType) {
    try {
      await services.files.put(path, chunks, contentType);
    } catch (cause) {
      throw errors.unavailable(cause);
    }
  }
}

/** The type of a file, or a sentence that says why it cannot be accepted. */
async function checkFile({ name, chunks, size }: SentFile): Promise<FileType | string> {
  if ([...name].length > 500) return "The file name is longer than 500 characters";
  if (!isStorableText(name)) return "The file name must not contain NUL characters";
  const type = typeOfName(name);
  if (type === undefined) return `The file type is not supported; supported are ${supported}`;
  if (size === 0) return "The file is empty";
  if (size > type.maxBytes) return `The file is larger than ${type.maxBytes / 1024 / 1024} MB`;
  if (!await fitsType(chunks, type)) return `The content is not that of a ${type.name} file`;
  return type;
}

function digestOf({ chunks }: SentFile): string {
  const hash = createHash("sha256");
  for (const chunk of chunks) hash.update(chunk);
  return hash.digest("hex");
}
