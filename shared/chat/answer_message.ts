import type { RequestContext } from "../context.ts";
import type { AnswerHead } from "../answers/answer.ts";
import type { AnswerSink } from "./answer_sink.ts";
import { beginTurn } from "./turn/begin_turn.ts";
import { relayAnswer } from "./relay_answer.ts";
import { runTurn } from "./turn/run_turn.ts";
import type { ChatInput } from "./schemas.ts";

/** An answer to come. `produce` writes it to a sink; it must be called, and goes on when the reader has left. */
export type AnswerToCome = { head: AnswerHead; produce: (sink: AnswerSink) => Promise<void> };

/**
 * Accepts a message. Its answer is that of a new turn or, where the message came before with the same idempotency key,
 * the one it got then.
 *
 * @throws as `beginTurn` does; nothing is stored then.
 */
export async function answerMessage(
  ctx: RequestContext,
  { idempotencyKey, ...body }: ChatInput,
): Promise<AnswerToCome> {
  const begun = await beginTurn(ctx, body, idempotencyKey);
  if (!("earlier" in begun)) return { head: begun, produce: (sink) => runTurn(ctx, begun, sink) };
  const { earlier: answer } = begun;
  return { head: answer, produce: (sink) => relayAnswer(ctx, { answer, after: 0 }, sink) };
}
