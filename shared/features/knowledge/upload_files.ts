import * as store from "./store.ts";
import { createHash } from "node:crypto";
import type { RequestContext } from "../../core/context.ts";
import { errors } from "../../base/errors.ts";
import { identifyRequest } from "../../core/wire/idempotency_key.ts";
import type { RequestIdentity } from "../../core/wire/request_identity.ts";
import { describeError } from "../../infra/log.ts";
import { StorageError } from "../../infra/storage/file_store.ts";
import { isStorableText } from "../../base/text/storable_text.ts";
import { stripInvisible } from "../../base/text/strip_invisible.ts";
import { checkContent, UnacceptableFile } from "./check_content.ts";
import { type FileType, fileTypes, typeOfName } from "./file_types.ts";
import { uploadsAtOnce } from "./limits.ts";
import type { ReadNext } from "./read_next.ts";
import type { SentFile } from "./read_upload.ts";
import type { UploadReply } from "./replies.ts";
import type { UploadFilesInput } from "./schemas.ts";

const supported = [...new Set([...fileTypes.values()].map((type) => type.name))].join(", ");

/**
 * Adds files to the knowledge of a coach. Each streams to Storage as it arrives. They become visible together, when the
 * last has been stored, and are indexed afterwards. If a file is rejected, the others are still accepted; after any
 * other failure, none of them is stored. The same files with the same idempotency key are not added again: the first
 * reply is repeated.
 *
 * @throws 403, 404 if the caller may not; 422 when the key came with other files before; 503 when Storage fails, or the
 * worker has as many uploads under way as it can hold; what reading the files throws.
 */
export async function uploadFiles(
  { services, admission, database, userId, requestId, log }: RequestContext,
  { coachId, files, idempotencyKey }: UploadFilesInput,
): Promise<UploadReply> {
  const writer = { coachId, userId };
  const { uploadId } = await store.beginUpload(database, writer);
  const { accountId } = await admission.require();

  const failedFiles: UploadReply["failedFiles"] = [];
  const stored: store.StoredFile[] = [];
  let objects = 0;
  const sent: [name: string, digest: string][] = [];
  const endUpload = (files: store.StoredFile[], identity: RequestIdentity = {}) =>
    store.endUpload(database, { ...writer, ...identity, uploadId, objects, files, requestId });

  let uploadedFiles;
  // Only after authentication, so that nobody without a valid key can occupy a place.
  const leave = services.uploadSemaphore.enter(accountId, uploadsAtOnce);
  try {
    if (leave === null) throw errors.tooManyUploads();
    for await (const { name: givenName, isGarbled, read } of files) {
      const name = stripInvisible(givenName);
      const measured = measure(read);
      const accepted = await acceptFile({ name, isGarbled, read: measured.read });
      const { size, digest } = measured.result();
      if (accepted !== null) stored.push({ ...accepted, name, size, digest });
      sent.push([name, digest]);
    }
    // A hash of the files, not of the body: clients choose another boundary for each request.
    uploadedFiles = await endUpload(stored, identifyRequest(idempotencyKey, [coachId, sent]));
  } catch (error) {
    // If this fails, too, the next sweep finds the abandoned upload.
    await endUpload([]).catch((cause) => log("warn", "upload_not_ended", { reason: describeError(cause) }));
    throw error;
  } finally {
    leave?.();
    if (objects > 0) services.waitUntil(services.wakeIndexer(log));
  }
  if (uploadedFiles === null) throw errors.uploadTooSlow();
  return {
    uploadedFiles,
    failedFiles,
    totalUploaded: uploadedFiles.length,
    totalFailed: failedFiles.length,
  };

  /** Stores a file while it is read; null when it is refused. */
  async function acceptFile({ name, isGarbled, read }: SentFile) {
    try {
      if (isGarbled) throw new UnacceptableFile("The file name is not in UTF-8");
      const type = requireType(name);
      const blocks = checkContent(read, type);
      // Most rejected files can be recognized by their first block: for those, no object is created.
      const first = await blocks.next();
      const object = ++objects;
      const path = `${accountId}/${uploadId}/${object}`;
      await services.files.put(path, continueAfter(first, blocks), type.contentType);
      return { object, contentType: type.contentType, category: type.category };
    } catch (error) {
      if (error instanceof StorageError) throw errors.unavailable(error);
      if (!(error instanceof UnacceptableFile)) throw error;
      failedFiles.push({ filename: name, error: error.message });
      // The digest of the whole file is only needed with a key, and reading takes time.
      if (idempotencyKey !== undefined) { while (await read() !== null); }
      return null;
    }
  }
}

async function* continueAfter<Value>(first: IteratorResult<Value, void>, rest: AsyncGenerator<Value>) {
  if (!first.done) yield first.value;
  yield* rest;
}

/** Returns the type that belongs to a file name. @throws {UnacceptableFile} if it is not supported. */
function requireType(name: string): FileType {
  if ([...name].length > 500) throw new UnacceptableFile("The file name is longer than 500 characters");
  if (!isStorableText(name)) throw new UnacceptableFile("The file name must not contain NUL characters");
  const type = typeOfName(name);
  if (type === undefined) {
    throw new UnacceptableFile(
      `The file type is not supported. Supported types: ${supported}. Save other documents as PDF`,
    );
  }
  return type;
}

/** Reads the same bytes, and computes their size and digest. */
function measure(read: ReadNext) {
  const hash = createHash("sha256");
  let size = 0;
  return {
    async read() {
      const piece = await read();
      if (piece !== null) {
        hash.update(piece);
        size += piece.length;
      }
      return piece;
    },
    result: () => ({ size, digest: hash.digest("hex") }),
  };
}
