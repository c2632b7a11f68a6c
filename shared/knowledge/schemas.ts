import * as z from "zod/mini";
import { PageSize } from "../wire/paging.ts";
import { isStorableText } from "../text/storable_text.ts";
import { Count, Timestamp } from "../wire/fields.ts";

const pageError = "page must be a whole number from 1";

const Category = z.enum(["documents", "images", "videos"], "category must be documents, images or videos");

const coachId = z.string("coachId is required").check(
  z.refine((text) => text.trim() !== "", "coachId is required"),
  z.refine(isStorableText, "coachId must not contain NUL characters"),
  z.describe("The coach whose knowledge it is"),
);

/** Query of `POST /knowledge-handler` and `DELETE /knowledge-handler/{fileId}`. */
export const CoachQuery = z.object({ coachId });

/** Query of `GET /knowledge-handler`. */
export const SearchQuery = z.object({
  coachId,
  search: z.optional(
    z.string("search must be a string").check(z.refine(isStorableText, "search must not contain NUL characters")),
  )
    .check(z.describe("Words to look for in names and content; any of them may match, the best match comes first")),
  category: z.optional(Category).check(z.describe("Only files of this category")),
  page: z._default(z.int(pageError).check(z.gte(1, pageError), z.lte(999_999_999, pageError)), 1)
    .check(z.describe("Which page of the matches")),
  limit: z._default(PageSize, 20).check(z.describe("How many files a page has")),
});
export type SearchQuery = z.infer<typeof SearchQuery>;

/** A knowledge file, as the interface shows it. */
export const KnowledgeFile = z.object({
  fileId: z.string(),
  filename: z.string(),
  size: Count.check(z.describe("In bytes")),
  contentType: z.string().check(z.describe("MIME type")),
  uploadedAt: Timestamp,
  category: Category,
});
export type KnowledgeFile = z.infer<typeof KnowledgeFile>;
