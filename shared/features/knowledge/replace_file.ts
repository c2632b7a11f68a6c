import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { requiredId } from "../../core/wire/fields.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { callRepeatable } from "../../infra/db/account_database.ts";
import { coachId, fileColumns, StoredFile } from "./fields.ts";
import { readUploadFields } from "./read_upload.ts";
import { binary, receiveFile, sentFiles } from "./upload_files.ts";

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
  input: z.object({
    coachId,
    fileId: requiredId("fileId", "The file to replace"),
    file: sentFiles("file").check(z.meta({ override: binary })),
  }),
  output: StoredFile,
  readFields: readUploadFields("file", 1),
  verb: (ctx, { coachId, fileId, file }): Promise<z.infer<typeof StoredFile>> =>
    receiveFile(ctx, { coachId, fileId, files: file }, (arrived) => {
      const columns = { ...arrived, ...fileColumns({ coachId, fileId }) };
      return callRepeatable(ctx.database, "replace_file", columns, ReplacedFile);
    }),
});
