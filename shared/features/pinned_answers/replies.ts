import * as z from "zod/mini";
import { Count, NextCursor, Timestamp, Uuid } from "../../core/wire/fields.ts";

const WrittenBy = z.nullable(z.string()).check(
  z.describe("The user who wrote it; null for a server with a key, and for changes made by hand"),
);

const contentFields = {
  question: z.string(),
  variants: z.array(z.string()).check(z.describe("Other ways to ask the question")),
  answer: z.string(),
  is_active: z.boolean().check(z.describe("Whether it is active")),
  version: z.int().check(z.gte(1), z.describe("Increases with every change")),
  written_by: WrittenBy,
};

/** An answer of the expert. */
export const PinnedAnswer = z.object({
  id: Uuid,
  ...contentFields,
  hits: Count.check(z.describe("How often it was given word for word")),
  near_hits: Count.check(z.describe("How often it was given to the model")),
  last_hit_at: z.nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
});

/** A pinned answer with its versions. */
export const PinnedAnswerWithVersions = z.object({
  ...PinnedAnswer.shape,
  versions: z.array(z.object({ ...contentFields, written_at: Timestamp })).check(
    z.describe("Its texts, the current version first; at most the newest 100"),
  ),
});

/** Reply of `GET /coaches/{coachId}/answers`. */
export const PinnedAnswerList = z.object({
  data: z.array(PinnedAnswer).check(z.describe("Most recently changed first")),
  count: Count.check(z.describe("The number of pinned answers in `data`")),
  next_cursor: NextCursor,
});

/** Reply of `DELETE /coaches/{coachId}/answers/{answerId}`. */
export const DeletedPinnedAnswer = z.object({
  message: z.literal("Pinned answer deleted successfully"),
  answerId: z.string(),
});

/** A row of an imported sheet. */
export const ImportedRow = z.object({
  row: z.int().check(z.gte(2), z.describe("The number that spreadsheets show; the row of the column names is 1")),
  status: z.enum(["added", "changed", "unchanged", "refused"]),
  question: z.string(),
  variants: z.nullable(z.array(z.string())).check(
    z.describe("Null if the sheet does not say: then they stay as they are"),
  ),
  answer: z.nullable(z.string()).check(z.describe("Null if the row could not be read")),
  is_active: z.nullable(z.boolean()).check(z.describe("Null if the sheet does not say: then it stays as it is")),
  answer_id: z.nullable(Uuid).check(z.describe("The pinned answer; null for a row that is refused or would be added")),
  previous: z.nullable(z.object({
    question: z.string(),
    variants: z.array(z.string()),
    answer: z.string(),
    is_active: z.boolean(),
  })).check(z.describe("What the pinned answer says before the change; null if nothing changes")),
  field: z.nullable(z.enum(["question", "answer", "variants", "is_active"])).check(
    z.describe("The column at fault; null if the row is not refused, or as a whole"),
  ),
  reason: z.nullable(z.string()).check(z.describe("The reason why the row is refused")),
});

/** Reply of `POST /coaches/{coachId}/answers/import`. */
export const ImportedAnswers = z.object({
  preview: z.boolean().check(z.describe("True if nothing was stored")),
  added: Count,
  changed: Count,
  unchanged: Count,
  refused: Count.check(z.describe("Only in a preview: an import with such rows fails")),
  rows: z.array(ImportedRow).check(z.describe("In the order of the sheet, without blank rows")),
  unused_columns: z.array(z.string()).check(z.describe("Columns that pinned answers do not have")),
});

/** Reply of `GET /coaches/{coachId}/answers/export`. */
export const AnswerSheet = z.string().check(z.describe("The sheet as CSV"));

/** A passage that answers must not use. */
export const BarredPassage = z.object({
  passage_id: z.string().check(z.describe("`passageId` of the sources")),
  content: z.nullable(z.string()).check(z.describe("Its text; null if no file contains it any more")),
  file_id: z.nullable(z.string()).check(z.describe("A file that contains it")),
  filename: z.nullable(z.string()),
  barred_by: z.nullable(z.string()).check(z.describe("The user who barred it; null for a server with a key")),
  created_at: Timestamp,
});

/** Reply of `GET /coaches/{coachId}/barred-passages`. */
export const BarredPassageList = z.object({
  data: z.array(BarredPassage).check(z.describe("Newest first")),
  count: Count.check(z.describe("The number of passages in `data`")),
  next_cursor: NextCursor,
});

/** Reply of `DELETE /coaches/{coachId}/barred-passages/{passageId}`. */
export const UnbarredPassage = z.object({
  message: z.literal("The passage may be used again"),
  passageId: z.string(),
});
