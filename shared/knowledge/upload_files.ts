import { createHash } from "node:crypto";
import type { RequestContext } from "../context.ts";
import { errors } from "../errors.ts";
import { identifyRequest, type RequestIdentity } from "../wire/idempotency_key.ts";
import { describeError } from "../log.ts";
import { isStorableText } from "../text/storable_text.ts";
import { type FileType, fileTypes, fitsType, typeOfName } from "./file_types.ts";
import type { SentFile } from "./read_upload.ts";
import type { UploadReply } from "./replies.ts";
import { requireWriter } from "./require_writer.ts";
import type { UploadFilesInput } from "./schemas.ts";
import * as store from "./store.ts";

const supported = [...new Set([...fileTypes.values()].map((type) => type.name))].join(", ");

/**
 * Adds files to the knowledge of a coach. They appear all at once, when the last has been stored, and are indexed
 * afterwards. A file that cannot be accepted does not stop the others; after any other failure none of them is kept. The
 * same files with the same idempotency key are not added again: the reply is that of the first time.
 *
 * @throws 403, 404 when the caller may not; 422 when the key came with other files before; 503 when Storage fails; what
 * reading the files throws.
 */
export async function uploadFiles(
  ctx: RequestContext,
  { coachId, files, idempotencyKey }: UploadFilesInput,
): Promise<UploadReply> {
  const { services, caller, requestId, log } = ctx;
  const writer = { accountId: caller.accountId, coachId, userId: caller.userId };
  const { uploadId } = requireWriter(await store.beginUpload(services.database, writer));

  const failedFiles: UploadReply["failedFiles"] = [];
  const stored: store.StoredFile[] = [];
  let objects = 0;
  const sent: [name: string, digest: string][] = [];
  const endUpload = (files: store.StoredFile[], identity: RequestIdentity = {}) =>
    store.endUpload(services.database, { ...writer, ...identity, uploadId, objects, files, requestId });

  let uploadedFiles;
  try {
    for await (const file of files) {
      const type = await checkFile(file);
      if (typeof type === "string") {
        failedFiles.push({ filename: file.name, error: type });
        // Only where a key needs the digest: the file may be as large as the whole upload.
        if (idempotencyKey !== undefined) sent.push([file.name, digestOf(file)]);
        continue;
      }
      objects++;
      const digest = digestOf(file);
      await storeFile(`${caller.accountId}/${uploadId}/${objects}`, file, type);
      stored.push({
        object: objects,
        name: file.name,
        size: file.size,
        contentType: type.contentType,
        category: type.category,
        digest,
      });
      sent.push([file.name, digest]);
    }
    // Of the files, not of the bytes of the body: clients choose another boundary for each request.
    uploadedFiles = await endUpload(stored, await identifyRequest(idempotencyKey, [coachId, sent]));
  } catch (error) {
    // Where this fails too, the next sweep finds the upload abandoned.
    await endUpload([]).catch((cause) => log("warn", "upload_not_ended", { reason: describeError(cause) }));
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
