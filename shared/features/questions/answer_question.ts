import * as z from "zod/mini";
import { stripInvisible } from "../../libs/base/text.ts";
import { Count, textField } from "../../core/wire/fields.ts";
import { uuidPattern } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { withQuestions } from "../../core/questions/read_questions.ts";
import { callRepeatable } from "../../infra/db/account_database.ts";
import { tidySentence } from "./keep_question.ts";
import { coachId, ofQuestions, OpenQuestion, questionColumns, questionId } from "./fields.ts";

export const AnsweredQuestion = z.object({
  ...OpenQuestion.shape,
  notified: Count.check(
    z.describe("In how many threads the answer is now, as a message of the expert; each has it once"),
  ),
});

const SentAnswer = z.object({
  ...AnsweredQuestion.shape,
  /** True if there are more threads to put the answer into. */
  is_more: z.boolean(),
});

const maxVariants = 20;

const maxAskings = 1_000;
const notifyError = 'notify must be true, false, or {"askings": […]} with at most 1,000 IDs';

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

const input = z.object({
  coachId,
  questionId,
  answer: textField("answer", 20_000, { clean: (text) => text }).check(
    z.describe("The expert's answer. From now on, anyone who asks this question gets it word for word"),
  ),
  question: z.nullish(textField("question", 1_000, { clean: stripInvisible })).check(
    z.describe(
      "The question of the pinned answer; by default, the sentence of the open question. Required if that has no " +
        "sentence",
    ),
  ),
  variants: z.nullish(
    z.array(textField("variants", 1_000, { clean: stripInvisible }), "variants must be a list of strings").check(
      z.maxLength(maxVariants, `variants must have at most ${maxVariants} questions`),
    ),
  ).check(z.describe("Other ways to ask it")),
  notify: notifyField,
});

/** Arguments of the tool `answer-question`. Who asks in other words is a choice for the expert, at the desk. */
export const answerQuestionArguments = z.extend(input, {
  notify: z.nullish(z.boolean("notify must be true or false")).check(
    z.describe("False to tell nobody; by default, those who have asked are told"),
  ),
});

/** A call reaches a thousand threads. */
const mostCalls = 50;

/**
 * Pins the expert's answer to a question, replacing an earlier pinned answer to it, and puts it into the threads of
 * those who have asked, unless the input says otherwise. 400 if neither the input nor the open question has a sentence.
 */
export const operation = defineEndpoint({
  name: "answerQuestion",
  method: "POST",
  path: "/coaches/:coachId/questions/:questionId/answer",
  body: "application/json",
  scope: "expert",
  failure: "Failed to answer the question",
  // The same answer twice is pinned once, and nobody is told twice.
  isRepeatable: true,
  errors: ofQuestions,
  input,
  output: AnsweredQuestion,
  async verb(
    { database, userId, requestId },
    { answer, question, variants, notify, ...ids },
  ): Promise<z.infer<typeof AnsweredQuestion>> {
    const columns = questionColumns({ ...ids, userId });
    const sending = { askings: typeof notify === "object" ? notify?.askings ?? [] : [], request_id: requestId };
    const asked = [...question ? [tidySentence(question)] : [], ...variants ?? []];
    let sent = await withQuestions(
      { coachId: ids.coachId },
      asked,
      (asked) =>
        callRepeatable(database, "answer_question", {
          ...columns,
          answer,
          question: question ? asked[0]! : null,
          variants: question ? asked.slice(1) : asked,
          notify: notify !== false,
          ...sending,
        }, SentAnswer),
    );
    for (let call = 1; sent.is_more && call < mostCalls; call++) {
      // The answer may have become one with another question.
      sent = await callRepeatable(
        database,
        "send_answer",
        { ...columns, question_id: sent.id, ...sending },
        SentAnswer,
      );
    }
    const { is_more: _, ...answered } = sent;
    return answered;
  },
});
