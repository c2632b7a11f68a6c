import type { RequestContext } from "../context.ts";
import type { AnswerHead } from "../answers/answer.ts";
import type { AnswerSink } from "./answer_sink.ts";
import { beginTurn } from "./turn/begin_turn.ts";
import { relayAnswer } from "./relay_answer.ts";
import { runTurn } from "./turn/run_turn.ts";
import { errors } from "../errors.ts";
import type { ChatInput } from "./schemas.ts";

/** An answer to come. `produce` writes it to a sink; it must be called, and goes on when the reader has left. */
export type AnswerToCome = { head: AnswerHead; produce: (sink: AnswerSink) => Promise<void> };

/**
 * Accepts a message. Its answer is that of a new turn or, where the message came before with the same idempotency key,
 * the one it got then.
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
  const begun = await beginTurn(ctx, body, idempotencyKey ?? idempotency_key ?? undefined);
  if (!("earlier" in begun)) return { head: begun, produce: (sink) => runTurn(ctx, begun, sink) };
  const { earlier: answer } = begun;
  return { head: answer, produce: (sink) => relayAnswer(ctx, { answer, after: 0 }, sink) };
}
