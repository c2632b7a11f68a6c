import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import type { StoredAnswer } from "../../core/answers/stored_answer.ts";
import * as store from "../../core/answers/store.ts";
import type { RequestContext } from "../../core/context.ts";
import { uuidPattern } from "../../core/wire/ids.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { describeAnswer } from "./answer_sinks.ts";
import { AnswerObject, messageId } from "./fields.ts";
import { readAnswerSoon, requireAnswer } from "./read_answer.ts";

/** Stops an answer, and returns it as it has ended. */
export const operation = defineEndpoint({
  name: "stopAnswer",
  method: "POST",
  path: "/chat/:messageId/stop",
  scope: "chat",
  failure: "Failed to stop the answer",
  errors: () => [errors.messageNotFound()],
  input: z.object({ messageId }),
  output: AnswerObject,
  async verb(ctx, input) {
    const answer = await stopStoredAnswer(ctx, input);
    return describeAnswer(answer, answer.content, answer);
  },
});

/**
 * Stops an answer: waits until its run, which may be in another process, has stored the text so far. If the run does
 * not react in time, the answer ends with the stored text. An answer that has already ended is returned unchanged.
 *
 * @throws 404 if the caller has no such answer.
 */
export async function stopStoredAnswer(
  ctx: RequestContext,
  { messageId }: { messageId: string },
): Promise<StoredAnswer> {
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
