import { nameRun } from "../../core/answers/answer.ts";
import type { RequestContext } from "../../core/context.ts";
import { errors } from "../../base/errors.ts";
import type { AnswerToCome } from "./answer_message.ts";
import { readAnswer } from "./read_answer.ts";
import { relayAnswer } from "./relay_answer.ts";
import type { FollowAnswerInput } from "./schemas.ts";

/** The rest of an answer. */
export type ResumedAnswer = AnswerToCome & {
  /** The number of characters that the reader has. */
  after: number;
  /** True if the reader has all the text, and the answer has ended or waits for the expert. */
  isRead: boolean;
};

/**
 * Returns the stored text of an answer and the text still being written, from the beginning or from after the last
 * event that the reader has.
 *
 * @throws 404 if the caller has no such answer; 409 if the reader followed a run that another one has replaced.
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
