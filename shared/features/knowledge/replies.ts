import * as z from "zod/mini";
import { Count, Timestamp, Uuid } from "../../core/wire/fields.ts";
import { fileCategories } from "./file_types.ts";

/** A knowledge file, as the interface shows it. */
export const KnowledgeFile = z.object({
  fileId: z.string(),
  filename: z.string(),
  size: Count.check(z.describe("In bytes")),
  contentType: z.string().check(z.describe("MIME type")),
  uploadedAt: Timestamp,
  category: z.enum(fileCategories),
});
export type KnowledgeFile = z.infer<typeof KnowledgeFile>;

/** Reply of `POST /knowledge-handler`: the result for each file. */
export const UploadReply = z.object({
  uploadedFiles: z.array(KnowledgeFile),
  failedFiles: z.array(z.object({
    filename: z.string(),
    error: z.string().check(z.describe("The reason why the file was rejected")),
  })),
  totalUploaded: Count,
  totalFailed: Count,
});
export type UploadReply = z.infer<typeof UploadReply>;

/** A knowledge file as a search shows it. */
export const FoundFile = z.object({
  ...KnowledgeFile.shape,
  status: z.enum(["queued", "indexing", "ready", "empty", "failed"]).check(
    z.describe("The status of indexing. `empty`: no text was found in the file"),
  ),
  error: z.nullable(z.string()).check(
    z.describe("The reason for `failed` or `empty`; otherwise null. Such a file can only be found by its name"),
  ),
  warning: z.nullable(z.string()).check(
    z.describe("What of a file that is `ready` could not be read, such as `2 of 3 pages have no text`; otherwise null"),
  ),
  score: z.nullable(z.number()).check(z.describe("The match score; null without a search")),
  snippet: z.nullable(z.string()).check(z.describe("The best matching excerpt; null if there is none to show")),
  source_id: z.nullable(Uuid).check(z.describe("The source that the file is a page of; null for an uploaded file")),
  source_url: z.nullable(z.string()).check(z.describe("The address of the page; null for an uploaded file")),
  fetched_at: z.nullable(Timestamp).check(z.describe("The time when the page was last read or found unchanged")),
});

/** Reply of `GET /knowledge-handler`. */
export const FileList = z.object({
  data: z.array(FoundFile).check(z.describe("Best match first; newest first without a search")),
  count: Count.check(z.describe("The number of files on this page")),
  total: Count.check(z.describe("The number of files on all pages; with a search, at most 1,000")),
  page: z.int().check(z.gte(1)),
  limit: z.int().check(z.gte(1)),
});

/** Reply of `DELETE /knowledge-handler/{fileId}`. */
export const DeleteReply = z.object({ message: z.literal("File deleted successfully"), fileId: z.string() });
export type DeleteReply = z.infer<typeof DeleteReply>;
