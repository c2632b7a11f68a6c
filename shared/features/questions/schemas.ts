import * as z from "zod/mini";
import { countCharacters } from "../../base/text/count_characters.ts";
import { isStorableText } from "../../base/text/storable_text.ts";
import { stripInvisible } from "../../base/text/strip_invisible.ts";
import { requiredId } from "../../core/wire/fields.ts";
import { cursorField, limitField, type Page, pageSizeOf } from "../../core/wire/paging.ts";
import { uuidPattern } from "../../core/wire/ids.ts";
import { questionStatuses } from "./statuses.ts";

export type QuestionStatus = typeof questionStatuses[number];

const coachId = requiredId("coachId", "The coach");
const questionId = requiredId("questionId", "`id` in the list of questions");

/** A cursor of the list of questions: whether somebody waits, people, time in microseconds and ID of the last of a page. */
const cursorForm = new RegExp(`^([01])_(\\d{1,9})_(\\d{1,16})_(${uuidPattern.source.slice(1, -1)})$`);

/** Input of `listQuestions`. */
export const ListQuestionsInput = z.object({
  coachId,
  status: z._default(z.enum(questionStatuses, "status must be open, answered or dismissed"), "open").check(
    z.describe("The status of the questions to list"),
  ),
  off_topic: z.optional(z.enum(["true", "false"], "off_topic must be true or false")).check(
    z.describe("`true` lists only questions that are off topic, `false` only the others"),
  ),
  include: z.optional(z.literal("askings", "include must be askings")).check(
    z.describe("`askings`: with `chats` and `merged_askings` of each question, to choose who is told the answer"),
  ),
  limit: limitField,
  cursor: cursorField(cursorForm),
});
export type ListQuestionsInput = z.infer<typeof ListQuestionsInput>;

/** A page of the list, as Postgres takes it. */
export type QuestionPage = {
  /** Null: the whole list. */
  pageSize: number | null;
  /** The last question of the page before; null: from the beginning. */
  after: { isRequested: boolean; people: number; asked: number; id: string } | null;
};

/** Reads a page of the list of questions. */
export function readQuestionPage(page: Page): QuestionPage {
  const [, requested, people, asked, id] = cursorForm.exec(page.cursor ?? "") ?? [];
  return {
    pageSize: pageSizeOf(page),
    after: id === undefined
      ? null
      : { isRequested: requested === "1", people: Number(people), asked: Number(asked), id },
  };
}

/** Input of `dismissQuestion` and `reopenQuestion`. */
export const DecideQuestionInput = z.object({ coachId, questionId });
export type DecideQuestionInput = z.infer<typeof DecideQuestionInput>;

/** Input of `dismissQuestions`. */
export const DismissQuestionsInput = z.object({
  coachId,
  thread_id: z.string("thread_id must be a string").check(
    z.regex(uuidPattern, "thread_id must be a UUID"),
    z.describe("A thread with this coach: `thread_id` in the list of questions"),
  ),
  of_person: z._default(z.boolean("of_person must be true or false"), false).check(
    z.describe("If true, dismisses what the person of the thread has asked in any thread with this coach"),
  ),
});
export type DismissQuestionsInput = z.infer<typeof DismissQuestionsInput>;

/** A text that is not blank. */
function textField(name: string, maxCharacters: number, clean = (text: string) => text) {
  return z.string(`${name} must be a string`).check(
    z.overwrite(clean),
    z.refine((text) => text.trim() !== "", { error: `${name} must not be blank`, abort: true }),
    z.refine((text) => countCharacters(text) <= maxCharacters, {
      error: `${name} must be at most ${maxCharacters.toLocaleString("en")} characters long`,
      abort: true,
    }),
    z.refine(isStorableText, `${name} must not contain NUL characters or unpaired surrogates`),
    z.meta({ minLength: 1, maxLength: maxCharacters }),
  );
}

const maxVariants = 20;

const maxAskings = 1_000;
const notifyError = 'notify must be true, false, or {"askings": […]} with at most 1,000 IDs';

/** The field `notify` of an answer. */
const notifyField = z.nullish(z.union([
  z.boolean(),
  z.object({
    askings: z.array(z.string().check(z.regex(uuidPattern, notifyError))).check(z.maxLength(maxAskings, notifyError)),
  }),
], notifyError)).check(
  z.describe(
    "Whether to send the answer to those who have asked, as a message of the expert at the end of their threads; by " +
      "default, true. People who have asked in other words, which a model has found to mean the same, only get it if " +
      "`askings` names them: IDs of `merged_askings`. An ID that is not one of these is ignored",
  ),
);

/** Input of `answerQuestion`. */
export const AnswerQuestionInput = z.object({
  coachId,
  questionId,
  answer: textField("answer", 20_000).check(
    z.describe("The expert's answer. From now on, anyone who asks this question gets it word for word"),
  ),
  question: z.nullish(textField("question", 1_000, stripInvisible)).check(
    z.describe(
      "The question of the pinned answer; by default, the sentence of the open question. Required if that has no " +
        "sentence",
    ),
  ),
  variants: z.nullish(
    z.array(textField("variants", 1_000, stripInvisible), "variants must be a list of strings").check(
      z.maxLength(maxVariants, `variants must have at most ${maxVariants} questions`),
    ),
  ).check(z.describe("Other ways to ask it")),
  notify: notifyField,
});
export type AnswerQuestionInput = z.infer<typeof AnswerQuestionInput>;

/** Arguments of the tool `answer-question`. Who asks in other words is a choice for the expert, at the desk. */
export const AnswerQuestionArguments = z.extend(AnswerQuestionInput, {
  notify: z.nullish(z.boolean("notify must be true or false")).check(
    z.describe("False to tell nobody; by default, those who have asked are told"),
  ),
});
