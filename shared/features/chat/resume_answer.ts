import { nameRun } from "../../core/answers/answer.ts";
import type { RequestContext } from "../../core/context.ts";
import { errors } from "../../base/errors.ts";
import type { AnswerToCome } from "./answer_message.ts";
import { readAnswer } from "./read_answer.ts";
import { relayAnswer } from "./relay_answer.ts";
import type { FollowAnswerInput } from "./schemas.ts";

/** What is left of an answer. */
export type ResumedAnswer = AnswerToCome & {
  /** Characters that the reader has. */
  after: number;
  /** Whether the text has ended, or waits for the expert, and the reader has all of it. */
  isRead: boolean;
};

/**
 * What is stored of an answer and what is still written of it, from the beginning or after the last event that the
 * reader has.
 *
 * @throws 404 when the caller has no such answer; 409 when the run that the reader followed was replaced by another.
 */
export async function resumeAnswer(
  ctx: RequestContext,
  { messageId, lastEventId, after: firstEventId }: FollowAnswerInput,
): Promise<ResumedAnswer> {
  const { after = 0, run } = lastEventId ?? firstEventId ?? {};
  const answer = await readAnswer(ctx, { messageId, after });
  if (run !== undefined && run !== nameRun(answer)) throw errors.answerChanged();
  return {
    head: answer,
    after,
    isRead: answer.content === "" && answer.status !== "streaming" && answer.status !== "failed",
    produce: (sink) => relayAnswer(ctx, { answer, after }, sink),
  };
}
