import type { RequestContext } from "../../core/context.ts";
import { readIds } from "./read_ids.ts";
import type { OpenQuestion } from "./replies.ts";
import type { AnswerQuestionInput } from "./schemas.ts";
import * as store from "./store.ts";

/**
 * Pins the expert's answer to a question, replacing an earlier pinned answer to it, and returns the question.
 *
 * @throws 400 if neither the input nor the open question has a sentence; 404 if the caller's account has no such coach
 * or the coach no such question; 403 if the caller is not the expert.
 */
export async function answerQuestion(
  { database, userId }: RequestContext,
  { answer, question, variants, ...ids }: AnswerQuestionInput,
): Promise<OpenQuestion> {
  return await store.answerQuestion(database, { ...readIds(ids), userId }, {
    answer,
    question: question ?? null,
    variants: variants ?? [],
  });
}
