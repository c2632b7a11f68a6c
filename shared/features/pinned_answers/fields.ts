import * as z from "zod/mini";
import { stripInvisible } from "../../libs/base/text.ts";
import { Count, requiredId, textField, Timestamp, Uuid } from "../../core/wire/fields.ts";
import { type CoachAccess, coachColumns, uuidOrNull } from "../../core/wire/ids.ts";

export const answerId = requiredId("answerId", "The pinned answer: `id` in the list");
export const passageId = requiredId("passageId", "The passage: `passageId` in the sources of an answer");

const questionText = (name: string) =>
  textField(name, 1_000, { clean: (text) => stripInvisible(text).trim(), error: `${name} is required` });

const maxVariants = 20;
const variantsError = `variants must be a list of at most ${maxVariants} questions`;

export const questionField = questionText("question");
export const answerField = textField("answer", 20_000, { error: "answer is required" });
export const variantsField = z.array(questionText("Each of variants"), variantsError).check(
  z.maxLength(maxVariants, variantsError),
);
export const isActiveField = z.optional(z.boolean("is_active must be true or false"));

/** The descriptions of the fields of a pinned answer, in inputs. */
export const described = {
  question: "The question, as a person would ask it",
  variants: "Other ways to ask it: up to 20",
  answer: "The expert's answer",
  isActive: "Whether it is active",
};

const writtenBy = z.nullable(z.string()).check(
  z.describe("The user who wrote it; null for a server with a key, and for changes made by hand"),
);

/** The fields that versions have, too. */
export const contentFields = {
  question: z.string(),
  variants: z.array(z.string()).check(z.describe("Other ways to ask the question")),
  answer: z.string(),
  is_active: z.boolean().check(z.describe("Whether it is active")),
  version: z.int().check(z.gte(1), z.describe("Increases with every change")),
  written_by: writtenBy,
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

export const ImportedAnswers = z.object({
  preview: z.boolean().check(z.describe("True if nothing was stored")),
  added: Count,
  changed: Count,
  unchanged: Count,
  refused: Count.check(z.describe("Only in a preview: an import with such rows fails")),
  rows: z.array(ImportedRow).check(z.describe("In the order of the sheet, without blank rows")),
  unused_columns: z.array(z.string()).check(z.describe("Columns that pinned answers do not have")),
});

/** A passage that answers must not use. */
export const BarredPassage = z.object({
  passage_id: z.string().check(z.describe("`passageId` of the sources")),
  content: z.nullable(z.string()).check(z.describe("Its text; null if no file contains it any more")),
  file_id: z.nullable(z.string()).check(z.describe("A file that contains it")),
  filename: z.nullable(z.string()),
  barred_by: z.nullable(z.string()).check(z.describe("The user who barred it; null for a server with a key")),
  created_at: Timestamp,
});

/** A pinned answer and the caller, as the SQL functions take them. @throws 404 for a coach that nobody has. */
export function answerColumns({ answerId, ...access }: CoachAccess & { answerId: string }) {
  return { ...coachColumns(access), answer_id: uuidOrNull(answerId) };
}

/** An md5, the ID of a passage in sources. */
const passagePattern = /^[0-9a-f]{32}$/;

/** A passage and the caller, likewise. */
export function passageColumns({ passageId, ...access }: CoachAccess & { passageId: string }) {
  return { ...coachColumns(access), passage_id: passagePattern.test(passageId) ? passageId : null };
}
