import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { requiredId } from "../../core/wire/fields.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { callRepeatable } from "../../infra/db/account_database.ts";
import { coachId, fileColumns, StoredFile } from "./fields.ts";
import { readUploadFields, type SentFile } from "./read_upload.ts";
import { receiveFiles } from "./upload_files.ts";

/** One file, as it arrives. In the OpenAPI document, it is the part of a form. */
const sentFile = z.custom<AsyncIterable<SentFile>>(
  (files) => typeof files === "object" && files !== null && Symbol.asyncIterator in files,
  "file is required",
).check(z.meta({ override: { type: "string", format: "binary", contentEncoding: "binary" } }));

/** Null if the upload took so long that it was already abandoned. */
const ReplacedFile = z.nullable(StoredFile);

/** Sends a new version of a file, which keeps its ID. The old one answers until the new one has been read. */
export const operation = defineEndpoint({
  name: "replaceFile",
  method: "PUT",
  path: "/knowledge-handler/:fileId",
  query: ["coachId"],
  body: "multipart/form-data",
  scope: "knowledge:write",
  failure: "Failed to replace file",
  // The bytes that the file has already change nothing.
  isRepeatable: true,
  errors: () => [
    errors.malformedUpload(),
    errors.coachNotFound(),
    errors.notTheCoach(),
    errors.fileNotFound(),
    errors.fileIsPage(),
    errors.fileExists(),
    errors.uploadTooSlow(),
    errors.bodyTooLarge("100 MB"),
    errors.tooManyFiles(1),
    errors.tooManyUploads(),
  ],
  input: z.object({ coachId, fileId: requiredId("fileId", "The file to replace"), file: sentFile }),
  output: StoredFile,
  readFields: readUploadFields("file", 1),
  verb: (ctx, { coachId, fileId, file }): Promise<z.infer<typeof StoredFile>> =>
    receiveFiles(ctx, { coachId, fileId, files: file, readsRejected: false }, (arrived) => {
      const { upload, stored: [sent], failedFiles: [failed] } = arrived;
      if (sent === undefined) throw errors.invalidInput(failed?.error ?? "file is required");
      const columns = { ...upload, ...fileColumns({ coachId, fileId }), sent, request_id: ctx.requestId };
      return callRepeatable(ctx.database, "replace_file", columns, ReplacedFile);
    }),
});
