import * as store from "../../core/answers/store.ts";
import type { RequestContext } from "../../core/context.ts";
import { errors } from "../../base/errors.ts";
import { uuidPattern } from "../../core/wire/ids.ts";
import type { StoredAnswer } from "../../core/answers/stored_answer.ts";
import { describeAnswer } from "./answer_sinks.ts";
import { readAnswerSoon, requireAnswer } from "./read_answer.ts";
import type { AnswerObject } from "./replies.ts";
import type { StopAnswerInput } from "./schemas.ts";

/**
 * Stops an answer: waits until its run, which may be in another process, has stored the text so far. If the run does
 * not react in time, the answer ends with the stored text. An answer that has already ended is returned unchanged.
 *
 * @throws 404 if the caller has no such answer.
 */
export async function stopAnswer(ctx: RequestContext, input: StopAnswerInput): Promise<AnswerObject> {
  const answer = await stopStoredAnswer(ctx, input);
  return describeAnswer(answer, answer.content, answer);
}

/** Does the work of {@link stopAnswer}. */
export async function stopStoredAnswer(ctx: RequestContext, { messageId }: StopAnswerInput): Promise<StoredAnswer> {
  const { database, userId, services: { timeouts } } = ctx;
  async function stop(isForced: boolean): Promise<StoredAnswer> {
    return requireAnswer(await store.stopAnswer(database, { userId, messageId, isForced }));
  }

  if (!uuidPattern.test(messageId)) throw errors.messageNotFound();
  let answer = await stop(false);
  const end = performance.now() + timeouts.stop;
  while (answer.status === "streaming" && !answer.isAbandoned && performance.now() < end) {
    answer = requireAnswer(await readAnswerSoon(ctx, { messageId, after: 0 }, end - performance.now()));
  }
  return answer.status === "streaming" ? await stop(true) : answer;
}
