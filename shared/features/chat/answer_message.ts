import type { RequestContext } from "../../core/context.ts";
import type { AnswerHead } from "../../core/answers/answer.ts";
import type { StoredAnswer } from "../../core/answers/stored_answer.ts";
import type { AnswerSink } from "./answer_sinks.ts";
import { describeTakeover } from "./prompt/usual_sentences.ts";
import { beginTurn, retryTurn } from "./turn/begin_turn.ts";
import { relayAnswer } from "./relay_answer.ts";
import { runTurn } from "./turn/run_turn.ts";
import { errors } from "../../base/errors.ts";
import type { EarlierTurn, TakeoverNotice } from "./store.ts";
import type { Turn } from "./turn/turn.ts";
import type { ChatInput, RetryAnswerInput } from "./schemas.ts";

/**
 * An answer that is about to be written. `produce` writes it to a sink. It must be called, and continues after the
 * reader has disconnected.
 */
export type AnswerToCome = { head: AnswerHead; produce: (sink: AnswerSink) => Promise<void> };

/**
 * Accepts a message. Returns the answer of a new turn. If a message with the same idempotency key was sent before,
 * returns that one's answer.
 *
 * @throws 400 for two different keys, and as `beginTurn` does; nothing is stored then.
 */
export async function answerMessage(
  ctx: RequestContext,
  { idempotencyKey, idempotency_key, ...body }: ChatInput,
): Promise<AnswerToCome> {
  if (idempotencyKey !== undefined && (idempotency_key ?? idempotencyKey) !== idempotencyKey) {
    throw errors.invalidInput("idempotency_key must be the same as Idempotency-Key");
  }
  return comeToAnswer(ctx, await beginTurn(ctx, body, idempotencyKey ?? idempotency_key ?? undefined));
}

/**
 * Runs the last answer of a thread again, in place. If it is still being written, it is followed instead, so that a
 * request that is sent twice starts one run.
 *
 * @throws as `retryTurn` does; nothing is changed then.
 */
export async function retryAnswer(ctx: RequestContext, { messageId }: RetryAnswerInput): Promise<AnswerToCome> {
  return comeToAnswer(ctx, await retryTurn(ctx, messageId));
}

function comeToAnswer(ctx: RequestContext, begun: Turn | EarlierTurn): AnswerToCome {
  if (!("earlier" in begun)) return { head: begun, produce: (sink) => runTurn(ctx, begun, sink) };
  const { earlier: answer, waiting } = begun;
  if (waiting) return { head: answer, produce: (sink) => showNotice(answer, waiting, sink) };
  return { head: answer, produce: (sink) => relayAnswer(ctx, { answer, after: 0 }, sink) };
}

/** Shows the notice of a takeover instead of an answer. */
function showNotice(answer: StoredAnswer, notice: TakeoverNotice, sink: AnswerSink): Promise<void> {
  sink.write([describeTakeover(notice)]);
  sink.end(answer);
  return Promise.resolve();
}
