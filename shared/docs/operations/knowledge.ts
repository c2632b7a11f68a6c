import * as z from "zod/mini";
import { errors } from "../../errors.ts";
import { IdempotencyKey } from "../../wire/idempotency_key.ts";
import { maxFiles } from "../../knowledge/limits.ts";
import { DeleteReply, FileList, UploadReply } from "../../knowledge/replies.ts";
import { CoachQuery, SearchQuery } from "../../knowledge/schemas.ts";
import { exampleFile, exampleSource } from "../examples.ts";
import type { Operations } from "../operation.ts";

const tags = ["Knowledge"];

const coachErrors = {
  coachIdMissing: errors.invalidInput("coachId is required"),
  coachNotFound: errors.coachNotFound(),
};

export const knowledgeOperations: Operations = {
  "POST /knowledge-handler": {
    operationId: "uploadFiles",
    summary: "Upload knowledge files",
    description:
      "Adds files to what a coach knows: PDF, DOCX, TXT, MD (up to 25 MB each), JPG, PNG, GIF, WEBP, MP4, AVI, MOV, " +
      "WEBM (up to 50 MB each), 100 MB in all. A file that cannot be accepted stops no other. Content can be found " +
      "a moment later: see the `status` in search results.",
    tags,
    requestParams: {
      query: CoachQuery,
      header: z.object({
        "Idempotency-Key": IdempotencyKey.check(
          z.describe("Makes the request safe to repeat for 24 hours: the same files are not added again"),
        ),
      }),
    },
    requestBody: {
      required: true,
      content: {
        "multipart/form-data": {
          schema: z.object({ files: z.array(z.file()).check(z.minLength(1), z.maxLength(maxFiles)) }),
        },
      },
    },
    replies: {
      200: {
        description: "What became of each file",
        content: {
          "application/json": {
            schema: UploadReply,
            example: {
              uploadedFiles: [exampleFile],
              failedFiles: [{ filename: "notes.rtf", error: "The file type is not supported; supported are PDF, …" }],
              totalUploaded: 1,
              totalFailed: 1,
            },
          },
        },
      },
    },
    errors: {
      ...coachErrors,
      filesMissing: errors.invalidInput("files is required"),
      malformedUpload: errors.malformedUpload(),
      notTheCoach: errors.notTheCoach(),
      uploadTooSlow: errors.uploadTooSlow(),
      bodyTooLarge: errors.bodyTooLarge("100 MB"),
      tooManyFiles: errors.tooManyFiles(maxFiles),
      idempotencyKeyReused: errors.idempotencyKeyReused(),
    },
  },
  "GET /knowledge-handler": {
    operationId: "searchFiles",
    summary: "Search knowledge files",
    description: "The files of a coach: best match first with `search`, otherwise the newest first.",
    tags,
    requestParams: { query: SearchQuery },
    replies: {
      200: {
        description: "A page of files",
        content: {
          "application/json": {
            schema: FileList,
            example: {
              data: [{ ...exampleFile, status: "ready", score: exampleSource.score, snippet: exampleSource.quote }],
              count: 1,
              total: 1,
              page: 1,
              limit: 20,
            },
          },
        },
      },
    },
    errors: {
      ...coachErrors,
      categoryUnknown: errors.invalidInput("category must be documents, images or videos"),
      pageOutOfRange: errors.invalidInput("page must be a whole number from 1"),
      limitOutOfRange: errors.invalidInput("limit must be a whole number from 1 to 100"),
    },
  },
  "DELETE /knowledge-handler/:fileId": {
    operationId: "deleteFile",
    summary: "Delete a knowledge file",
    description: "Deletes a file and all that was drawn from it.",
    tags,
    requestParams: { path: z.object({ fileId: z.string() }), query: CoachQuery },
    replies: {
      200: {
        description: "The file is gone",
        content: {
          "application/json": {
            schema: DeleteReply,
            example: { message: "File deleted successfully", fileId: exampleFile.fileId },
          },
        },
      },
    },
    errors: {
      fileIdMissing: errors.invalidInput("fileId is required in path"),
      ...coachErrors,
      fileNotFound: errors.fileNotFound(),
      notTheCoach: errors.notTheCoach(),
    },
  },
};
