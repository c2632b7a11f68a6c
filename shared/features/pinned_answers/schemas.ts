import * as z from "zod/mini";
import { countCharacters } from "../../base/text/count_characters.ts";
import { isStorableText } from "../../base/text/storable_text.ts";
import { stripInvisible } from "../../base/text/strip_invisible.ts";
import { requiredId } from "../../core/wire/fields.ts";
import { pageFields } from "../../core/wire/paging.ts";
import { uuidPattern } from "../../core/wire/ids.ts";

const coachId = requiredId("coachId", "The coach whose expert makes the request");
const answerId = requiredId("answerId", "The pinned answer: `id` in the list");
const passageId = requiredId("passageId", "The passage: `passageId` in the sources of an answer");

const uuidKey = new RegExp(uuidPattern.source.slice(1, -1));

/** Input of `listPinnedAnswers`. */
export const ListPinnedAnswersInput = z.object({
  coachId,
  search: z.optional(
    z.string("search must be a string").check(
      z.refine(isStorableText, "search must not contain NUL characters or unpaired surrogates"),
    ),
  ).check(
    z.describe(
      "Words or parts of words. The question, variants and answer together must contain all of them; case is " +
        "ignored",
    ),
  ),
  // A string, because it is in the query of an HTTP request.
  is_active: z.optional(z.enum(["true", "false"], "is_active must be true or false")).check(
    z.describe("Only active or only inactive ones; by default, both"),
  ),
  ...pageFields(uuidKey),
});
export type ListPinnedAnswersInput = z.infer<typeof ListPinnedAnswersInput>;

/** Input of `getPinnedAnswer`. */
export const GetPinnedAnswerInput = z.object({ coachId, answerId });
export type GetPinnedAnswerInput = z.infer<typeof GetPinnedAnswerInput>;

/** A text of the expert, without white space at its ends. */
function textField(name: string, maxCharacters: number, clean = (text: string) => text) {
  return z.string(`${name} is required`).check(
    z.overwrite((text) => clean(text).trim()),
    z.refine((text) => text !== "", { error: `${name} must not be blank`, abort: true }),
    z.refine(
      (text) => countCharacters(text) <= maxCharacters,
      { error: `${name} must be at most ${maxCharacters.toLocaleString("en")} characters long`, abort: true },
    ),
    z.refine(isStorableText, `${name} must not contain NUL characters or unpaired surrogates`),
    z.meta({ minLength: 1, maxLength: maxCharacters }),
  );
}

const maxVariants = 20;
const variantsError = `variants must be a list of at most ${maxVariants} questions`;

/** The question of a pinned answer. */
export const Question = textField("question", 1_000, stripInvisible);

/** The text of a pinned answer. */
export const AnswerText = textField("answer", 20_000);

/** Other ways to ask the question. */
export const Variants = z.array(textField("Each of variants", 1_000, stripInvisible), variantsError).check(
  z.maxLength(maxVariants, variantsError),
);

const described = {
  question: "The question, as a person would ask it",
  variants: "Other ways to ask it: up to 20",
  answer: "The expert's answer",
  isActive: "Whether it is active",
};

/** Input of `createPinnedAnswer`. */
export const CreatePinnedAnswerInput = z.object({
  coachId,
  question: Question.check(z.describe(described.question)),
  variants: z.optional(Variants).check(z.describe(described.variants)),
  answer: AnswerText.check(z.describe(described.answer)),
  is_active: z.optional(z.boolean("is_active must be true or false")).check(
    z.describe(`${described.isActive}; by default, true`),
  ),
});
export type CreatePinnedAnswerInput = z.infer<typeof CreatePinnedAnswerInput>;

/** Input of `updatePinnedAnswer`. */
export const UpdatePinnedAnswerInput = z.object({
  coachId,
  answerId,
  question: z.optional(Question).check(z.describe(described.question)),
  variants: z.optional(Variants).check(z.describe(`${described.variants}. They replace all existing ones`)),
  answer: z.optional(AnswerText).check(z.describe(described.answer)),
  is_active: z.optional(z.boolean("is_active must be true or false")).check(z.describe(described.isActive)),
}).check(z.refine(
  ({ question, variants, answer, is_active }) =>
    [question, variants, answer, is_active].some((value) => value !== undefined),
  "One of question, variants, answer and is_active is required",
));
export type UpdatePinnedAnswerInput = z.infer<typeof UpdatePinnedAnswerInput>;

/** Input of `deletePinnedAnswer`. */
export const DeletePinnedAnswerInput = z.object({ coachId, answerId });
export type DeletePinnedAnswerInput = z.infer<typeof DeletePinnedAnswerInput>;

/** The most answers of a sheet. */
export const maxSheetRows = 1_000;
const maxSheetBytes = 1024 * 1024;

/** Input of `importPinnedAnswers`. */
export const ImportPinnedAnswersInput = z.object({
  coachId,
  csv: z.string("csv is required").check(
    z.refine((csv) => csv.trim() !== "", { error: "csv must not be blank", abort: true }),
    z.refine((csv) => new TextEncoder().encode(csv).length <= maxSheetBytes, "csv must be at most 1 MB"),
    z.describe(
      `The sheet as CSV, at most ${maxSheetRows.toLocaleString("en")} answers and 1 MB. Its first row names the ` +
        "columns: `question` and `answer`, and optionally `variants` and `is_active`",
    ),
  ),
  preview: z.optional(z.boolean("preview must be true or false")).check(
    z.describe("If true, nothing is stored. The reply is what an import would do; by default, false"),
  ),
});
export type ImportPinnedAnswersInput = z.infer<typeof ImportPinnedAnswersInput>;

/** Input of `exportPinnedAnswers`. */
export const ExportPinnedAnswersInput = z.object({ coachId });
export type ExportPinnedAnswersInput = z.infer<typeof ExportPinnedAnswersInput>;

/** Input of `listBarredPassages`. */
export const ListBarredPassagesInput = z.object({ coachId, ...pageFields(/[0-9a-f]{32}/) });
export type ListBarredPassagesInput = z.infer<typeof ListBarredPassagesInput>;

/** Input of `barPassage` and `unbarPassage`. */
export const BarredPassageInput = z.object({ coachId, passageId });
export type BarredPassageInput = z.infer<typeof BarredPassageInput>;
