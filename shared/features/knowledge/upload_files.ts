import * as z from "zod/mini";
import { createHash } from "node:crypto";
import { errors } from "../../infra/errors.ts";
import { isStorableText, stripInvisible } from "../../libs/base/text.ts";
import type { RequestContext } from "../../core/context.ts";
import { Count } from "../../core/wire/fields.ts";
import { IdempotencyKey, identifyRequest } from "../../core/wire/idempotency_key.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { callRepeatable } from "../../infra/db/account_database.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import { describeError } from "../../libs/base/log.ts";
import { StorageError } from "../../infra/storage/file_store.ts";
import { checkContent, heicAdvice, UnacceptableFile } from "./check_content.ts";
import { coachId, fileColumns, KnowledgeFile } from "./fields.ts";
import { type Category, type FileType, fileTypes, typeOfName } from "./file_types.ts";
import { maxFiles, uploadsAtOnce } from "./limits.ts";
import { readUploadFields, type SentFile } from "./read_upload.ts";
import type { ReadNext } from "./split_parts.ts";

/** The result for each file. */
export const UploadReply = z.object({
  uploadedFiles: z.array(KnowledgeFile),
  failedFiles: z.array(z.object({
    filename: z.string(),
    error: z.string().check(z.describe("The reason why the file was rejected")),
  })),
  totalUploaded: Count,
  totalFailed: Count,
});
type UploadReply = z.infer<typeof UploadReply>;

type SentFiles = AsyncIterable<SentFile> | Iterable<SentFile>;

/** How the OpenAPI document shows a file: as a part of a form. */
export const binary = { type: "string", format: "binary", contentEncoding: "binary" } as const;

/** Files that arrive one after the other, as they are read. */
export function sentFiles(name: string) {
  return z.custom<SentFiles>(
    (files) =>
      typeof files === "object" && files !== null && (Symbol.asyncIterator in files || Symbol.iterator in files),
    `${name} is required`,
  );
}

const input = z.object({
  coachId,
  idempotencyKey: IdempotencyKey.check(
    z.describe("Makes the request safe to repeat for 24 hours: the same files are not added twice"),
  ),
  replace: z.optional(z.enum(["true", "false"], "replace must be true or false")).check(
    z.describe("`true`: a file replaces the newest uploaded file of the same name; files with new names are added"),
  ),
  files: sentFiles("files").check(
    z.meta({ override: { type: "array", items: binary, minItems: 1, maxItems: maxFiles } }),
  ),
});

/** Adds files to the knowledge of a coach. */
export const operation = defineEndpoint({
  name: "uploadFiles",
  method: "POST",
  path: "/knowledge-handler",
  headers: { idempotencyKey: "Idempotency-Key" },
  query: ["coachId", "replace"],
  body: "multipart/form-data",
  scope: "knowledge:write",
  failure: "Failed to upload files",
  // A file with the same name and the same bytes is not stored again.
  isRepeatable: true,
  errors: () => [
    errors.malformedUpload(),
    errors.coachNotFound(),
    errors.notTheCoach(),
    errors.uploadTooSlow(),
    errors.bodyTooLarge("100 MB"),
    errors.tooManyFiles(maxFiles),
    errors.idempotencyKeyReused(),
    errors.tooManyUploads(),
  ],
  input,
  output: UploadReply,
  verb: uploadFiles,
  readFields: readUploadFields("files"),
});

/** A file whose object is stored. */
type StoredObject = {
  /** The number of its object within the upload. */
  object: number;
  name: string;
  /** In bytes. */
  size: number;
  content_type: string;
  category: Category;
  digest: string;
};

const BegunUpload = replyObject({ upload_id: z.string() });
/** Null if it took so long that it was already abandoned. */
const EndedUpload = z.nullable(z.array(KnowledgeFile));

/** The files of an upload that have arrived. */
type Arrived = {
  upload: { coach_id: string; user_id: string | null; upload_id: string };
  objects: number;
  stored: StoredObject[];
  failedFiles: UploadReply["failedFiles"];
  sent: [name: string, digest: string][];
};

const supported = [...new Set([...fileTypes.values()].map((type) => type.name))].join(", ");

/**
 * Adds files to the knowledge of a coach. They become visible together, when the last has been stored, and are indexed
 * afterwards. If a file is rejected, the others are still accepted; after any other failure, none of them is stored. The
 * same files with the same idempotency key are not added again: the first reply is repeated.
 *
 * @throws 422 when the key came with other files before; what `receiveFiles` throws.
 */
export async function uploadFiles(
  ctx: RequestContext,
  { coachId, files, idempotencyKey, replace = "false" }: z.infer<typeof input>,
): Promise<UploadReply> {
  const options = { coachId, files, readsRejected: idempotencyKey !== undefined };
  return await receiveFiles(ctx, options, async ({ upload, objects, stored, failedFiles, sent }) => {
    // A hash of the files, not of the body: clients choose another boundary for each request.
    const identity = identifyRequest(idempotencyKey, [coachId, sent, ...(replace === "true" ? [replace] : [])]);
    const uploadedFiles = await callRepeatable(ctx.database, "end_upload", {
      ...upload,
      objects,
      files: stored,
      request_id: ctx.requestId,
      idempotency_key: identity.idempotencyKey,
      fingerprint: identity.fingerprint,
      replaces: replace === "true",
    }, EndedUpload);
    return uploadedFiles && {
      uploadedFiles,
      failedFiles,
      totalUploaded: uploadedFiles.length,
      totalFailed: failedFiles.length,
    };
  });
}

/** The files of an upload, and what becomes of it: with `fileId`, the next version of that file. */
type Receiving = {
  coachId: string;
  fileId?: string;
  files: SentFiles;
  /** True: a file is read to its end though it is rejected, for its digest. Reading takes time. */
  readsRejected: boolean;
};

/**
 * Streams each file to Storage as it arrives. `end` makes them visible, and is null if the upload was abandoned by then.
 *
 * @throws 403, 404 if the caller may not; 503 when Storage fails, or the worker has as many uploads under way as it can
 * hold; what reading the files and `end` throw. Nothing is stored then.
 */
async function receiveFiles<Result>(
  { services, admission, database, userId, requestId, log }: RequestContext,
  { coachId, fileId, files, readsRejected }: Receiving,
  end: (arrived: Arrived) => Promise<Result | null>,
): Promise<Result> {
  const writer = { coach_id: coachId, user_id: userId };
  const begun = { ...writer, ...(fileId !== undefined && fileColumns({ coachId, fileId })) };
  const { uploadId } = await database.call("begin_upload", begun, BegunUpload);
  const { accountId } = await admission.require();

  const failedFiles: Arrived["failedFiles"] = [];
  const stored: StoredObject[] = [];
  const sent: Arrived["sent"] = [];
  let objects = 0;
  const upload = { ...writer, upload_id: uploadId };

  let result;
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
    result = await end({ upload, objects, stored, failedFiles, sent });
  } catch (error) {
    // Objects that did not become a file are removed. If this fails, too, the next sweep finds the abandoned upload.
    await callRepeatable(database, "end_upload", { ...upload, objects, files: [], request_id: requestId }, EndedUpload)
      .catch((cause) => log("warn", "upload_not_ended", { reason: describeError(cause) }));
    throw error;
  } finally {
    leave?.();
    if (objects > 0) services.waitUntil(services.wakeIndexer(log));
  }
  if (result === null) throw errors.uploadTooSlow();
  return result;

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
      return { object, content_type: type.contentType, category: type.category };
    } catch (error) {
      if (error instanceof StorageError) throw errors.unavailable(error);
      if (!(error instanceof UnacceptableFile)) throw error;
      failedFiles.push({ filename: name, error: error.message });
      if (readsRejected) { while (await read() !== null); }
      return null;
    }
  }
}

/** A file that has arrived, as SQL functions take it. */
export type ArrivedFile = Arrived["upload"] & { sent: StoredObject; request_id: string };

/** Receives a single file, as `receiveFiles` does. @throws 400 also if it is rejected. */
export function receiveFile<Result>(
  ctx: RequestContext,
  file: Omit<Receiving, "readsRejected">,
  end: (arrived: ArrivedFile) => Promise<Result | null>,
): Promise<Result> {
  return receiveFiles(ctx, { ...file, readsRejected: false }, ({ upload, stored: [sent], failedFiles: [failed] }) => {
    if (sent === undefined) throw errors.invalidInput(failed?.error ?? "file is required");
    return end({ ...upload, sent, request_id: ctx.requestId });
  });
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
  if (/\.hei[cf]$/i.test(name)) throw new UnacceptableFile(heicAdvice);
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
