import { errors } from "../../base/errors.ts";
import { defineOperation } from "../../core/lazy_operation.ts";
import { maxFiles } from "./limits.ts";

export const uploadFiles = defineOperation({
  name: "uploadFiles",
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
  input: async () => (await import("./schemas.ts")).UploadFilesInput,
  output: async () => (await import("./replies.ts")).UploadReply,
  verb: async () => (await import("./upload_files.ts")).uploadFiles,
});

export const searchFiles = defineOperation({
  name: "searchFiles",
  scope: "knowledge:read",
  failure: "Failed to search files",
  errors: () => [errors.coachNotFound()],
  input: async () => (await import("./schemas.ts")).SearchFilesInput,
  output: async () => (await import("./replies.ts")).FileList,
  verb: async () => (await import("./search_files.ts")).searchFiles,
});

export const deleteFile = defineOperation({
  name: "deleteFile",
  scope: "knowledge:write",
  failure: "Failed to delete file",
  isRepeatable: true,
  errors: () => [errors.coachNotFound(), errors.fileNotFound(), errors.notTheCoach()],
  input: async () => (await import("./schemas.ts")).DeleteFileInput,
  output: async () => (await import("./replies.ts")).DeleteReply,
  verb: async () => (await import("./delete_file.ts")).deleteFile,
});
