import type { RequestContext } from "../../core/context.ts";
import { requireCoachId } from "../../core/wire/ids.ts";
import { readIds } from "./read_ids.ts";
import type { DismissedQuestions, OpenQuestion } from "./replies.ts";
import type { DecideQuestionInput, DismissQuestionsInput } from "./schemas.ts";
import * as store from "./store.ts";

/**
 * Removes a question from the open ones. It is still counted, and reopens if many more people ask it.
 *
 * @throws 404 if the caller's account has no such coach or the coach no such question, 403 if the caller is not the
 * expert.
 */
export function dismissQuestion(ctx: RequestContext, input: DecideQuestionInput): Promise<OpenQuestion> {
  return decide(ctx, input, "dismissed");
}

/** Puts a question back to the open ones. @throws as {@link dismissQuestion} does. */
export function reopenQuestion(ctx: RequestContext, input: DecideQuestionInput): Promise<OpenQuestion> {
  return decide(ctx, input, "open");
}

/**
 * Dismisses the open questions that nobody but the person of a thread has asked: those of the thread or, with
 * `of_person`, of all their threads with the coach.
 *
 * @throws 404 if the caller's account has no such coach or the coach no such thread, 403 if the caller is not the expert.
 */
export async function dismissQuestions(
  { database, userId }: RequestContext,
  { coachId, thread_id: threadId, of_person: ofPerson }: DismissQuestionsInput,
): Promise<DismissedQuestions> {
  return await store.dismissQuestions(database, { coachId: requireCoachId(coachId), userId }, { threadId, ofPerson });
}

async function decide(
  { database, userId }: RequestContext,
  input: DecideQuestionInput,
  status: "open" | "dismissed",
): Promise<OpenQuestion> {
  return await store.decideQuestion(database, { ...readIds(input), userId }, status);
}
