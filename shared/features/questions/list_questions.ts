import * as store from "./store.ts";
import type { RequestContext } from "../../core/context.ts";
import { requireCoachId } from "../../core/wire/ids.ts";
import { type ListQuestionsInput, readQuestionPage } from "./schemas.ts";

/**
 * The questions that a coach could not answer well, those that most people asked first, then the latest, as the JSON of the reply.
 *
 * @throws 404 if the caller's account has no such coach, 403 if the caller is not the expert behind it.
 */
export async function listQuestions(
  { database, userId }: RequestContext,
  { coachId, status, off_topic, include, ...page }: ListQuestionsInput,
): Promise<Uint8Array<ArrayBuffer>> {
  const access = { coachId: requireCoachId(coachId), userId };
  return await store.listQuestions(database, access, {
    status,
    offTopic: off_topic === undefined ? null : off_topic === "true",
    hasAskings: include === "askings",
    ...readQuestionPage(page),
  });
}
