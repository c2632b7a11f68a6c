import * as z from "zod/mini";
import { PassageSource } from "../../core/answers/stored_answer.ts";
import { Count, requiredCoachId, Timestamp, Uuid } from "../../core/wire/fields.ts";
import { noId, uuidOrNull } from "../../core/wire/ids.ts";
import { fileCategories } from "./file_types.ts";

export const coachId = requiredCoachId("The coach that the files belong to");

/** A file as SQL functions take it. An invalid ID is looked up like an unknown one: the coach is checked first. */
export function fileColumns({ coachId, fileId }: { coachId: string; fileId: string }) {
  return { coach_id: coachId, file_id: uuidOrNull(fileId) ?? noId };
}

const { seconds, is_recognized } = PassageSource.shape;
/** How a passage came to be. */
export const reading = { seconds, is_recognized };

/** A knowledge file, as the interface shows it. */
export const KnowledgeFile = z.object({
  fileId: z.string(),
  filename: z.string(),
  size: Count.check(z.describe("In bytes")),
  contentType: z.string().check(z.describe("MIME type")),
  uploadedAt: Timestamp,
  category: z.enum(fileCategories),
});

/** A knowledge file with its state. */
export const StoredFile = z.object({
  ...KnowledgeFile.shape,
  version: z.int().check(z.gte(1), z.describe("Counted up each time that the file is replaced")),
  status: z.enum(["queued", "indexing", "ready", "empty", "failed"]).check(
    z.describe("The status of indexing. `empty`: no text was found in the file"),
  ),
  pending: z.nullable(z.enum(["queued", "indexing", "failed"])).check(
    z.describe("What becomes of the new version that is to replace the file; null: there is none"),
  ),
  error: z.nullable(z.string()).check(
    z.describe(
      "The reason for `failed` or `empty`, of the new version if there is one; otherwise null. A file with such a " +
        "`status` can only be found by its name",
    ),
  ),
  warning: z.nullable(z.string()).check(
    z.describe("What of a file that is `ready` could not be read, such as `2 of 3 pages have no text`; otherwise null"),
  ),
  valid_from: z.nullable(z.iso.date()).check(
    z.describe("The first day (UTC) on which answers may draw on the file; null: from the beginning"),
  ),
  valid_until: z.nullable(z.iso.date()).check(z.describe("The last such day; null: there is no end")),
  is_valid_today: z.boolean().check(z.describe("False: answers draw on it on other days, but not today")),
  source_id: z.nullable(Uuid).check(z.describe("The source that the file is a page of; null for an uploaded file")),
  source_url: z.nullable(z.string()).check(z.describe("The address of the page; null for an uploaded file")),
  fetched_at: z.nullable(Timestamp).check(z.describe("The time when the page was last read or found unchanged")),
  is_text: z.boolean().check(z.describe("True: a text that was written here, which is read and saved under `texts`")),
  title: z.nullable(z.string()).check(
    z.describe("Of a text, its title as it was saved last: `filename` follows when that has been read; otherwise null"),
  ),
});

/** A knowledge file as a search shows it. */
export const FoundFile = z.object({
  ...StoredFile.shape,
  score: z.nullable(z.number()).check(z.describe("The match score; null without a search")),
  snippet: z.nullable(z.string()).check(z.describe("The best matching excerpt; null if there is none to show")),
  is_recognized: reading.is_recognized.check(z.describe("True: a model has read the excerpt from a picture")),
  quotes: z.optional(Count).check(
    z.describe("With `include=quotes`: the number of answers of the last 30 days that draw on it"),
  ),
});

export const page = z.nullable(z.int()).check(z.describe("The page it begins on, if the file has pages"));
export const heading = z.nullable(z.string()).check(z.describe("The heading above it, if there is one"));
export const passageId = z.string().check(
  z.describe("The ID of the passage: the same as long as its text is the same"),
);
export const position = Count.check(z.describe("The place of the passage within the file, starting with 0"));
