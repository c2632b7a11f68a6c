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
export async function stopAnswer(
  ctx: RequestContext,
  { messageId }: StopAnswerInput,
): Promise<AnswerObject> {
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
  if (answer.status === "streaming") answer = await stop(true);
  return describeAnswer(answer, answer.content, answer);
}
