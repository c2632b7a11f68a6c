import type { RequestContext } from "../../core/context.ts";
import { readIds } from "./read_ids.ts";
import type { AnsweredQuestion } from "./replies.ts";
import type { AnswerQuestionInput } from "./schemas.ts";
import * as store from "./store.ts";

/** A call reaches a thousand threads. */
const mostCalls = 50;

/**
 * Pins the expert's answer to a question, replacing an earlier pinned answer to it, and puts it into the threads of
 * those who have asked, unless the input says otherwise. Returns the question.
 *
 * @throws 400 if neither the input nor the open question has a sentence; 404 if the caller's account has no such coach
 * or the coach no such question; 403 if the caller is not the expert.
 */
export async function answerQuestion(
  { database, userId, requestId }: RequestContext,
  { answer, question, variants, notify, ...ids }: AnswerQuestionInput,
): Promise<AnsweredQuestion> {
  const access = { ...readIds(ids), userId };
  const sending = { askings: typeof notify === "object" ? notify?.askings ?? [] : [], requestId };
  let sent = await store.answerQuestion(database, access, {
    answer,
    question: question ?? null,
    variants: variants ?? [],
    notify: notify !== false,
    ...sending,
  });
  for (let call = 1; sent.is_more && call < mostCalls; call++) {
    // The answer may have become one with another question.
    sent = await store.sendAnswer(database, { ...access, questionId: sent.id }, sending);
  }
  const { is_more: _, ...answered } = sent;
  return answered;
}
