import * as z from "zod/mini";
import { isStorableText } from "../../base/text/storable_text.ts";
import { requiredId } from "../../core/wire/fields.ts";
import { IdempotencyKey } from "../../core/wire/idempotency_key.ts";
import { PageSize } from "../../core/wire/paging.ts";
import { fileCategories } from "./file_types.ts";
import { maxFiles } from "./limits.ts";
import type { SentFile } from "./read_upload.ts";

const pageError = "page must be a whole number, 1 or higher";

const Category = z.enum(fileCategories, "category must be documents, images or videos");

const coachId = z.string("coachId is required").check(
  z.refine((text) => text.trim() !== "", "coachId is required"),
  z.refine(isStorableText, "coachId must not contain NUL characters"),
  z.describe("The coach that the files belong to"),
);

/** Files that arrive one after the other, as they are read. In the OpenAPI document, they are the parts of a form. */
const Files = z.custom<AsyncIterable<SentFile> | Iterable<SentFile>>(
  (files) => typeof files === "object" && files !== null && (Symbol.asyncIterator in files || Symbol.iterator in files),
  "files is required",
).check(z.meta({
  override: {
    type: "array",
    items: { type: "string", format: "binary", contentEncoding: "binary" },
    minItems: 1,
    maxItems: maxFiles,
  },
}));

/** Input of `uploadFiles`. */
export const UploadFilesInput = z.object({
  coachId,
  idempotencyKey: IdempotencyKey.check(
    z.describe("Makes the request safe to repeat for 24 hours: the same files are not added twice"),
  ),
  files: Files,
});
export type UploadFilesInput = z.infer<typeof UploadFilesInput>;

/** Input of `deleteFile`. */
export const DeleteFileInput = z.object({
  coachId,
  fileId: requiredId("fileId", "The file to delete: `fileId` in the reply to an upload or a search"),
});
export type DeleteFileInput = z.infer<typeof DeleteFileInput>;

/** Input of `searchFiles`. */
export const SearchFilesInput = z.object({
  coachId,
  search: z.optional(
    z.string("search must be a string").check(z.refine(isStorableText, "search must not contain NUL characters")),
  )
    .check(z.describe("Words to look for in names and content. Any of them may match; the best match comes first")),
  category: z.optional(Category).check(z.describe("Only files of this category")),
  page: z._default(z.int(pageError).check(z.gte(1, pageError), z.lte(999_999_999, pageError)), 1)
    .check(z.describe("The number of the page, starting with 1")),
  limit: z._default(PageSize, 20).check(z.describe("The number of files on a page")),
});
export type SearchFilesInput = z.infer<typeof SearchFilesInput>;
