import type { RequestContext } from "../../core/context.ts";
import type { AnswerHead } from "../../core/answers/answer.ts";
import type { StoredAnswer } from "../../core/answers/stored_answer.ts";
import type { AnswerSink } from "./answer_sinks.ts";
import { describeTakeover } from "./prompt/usual_sentences.ts";
import { beginTurn } from "./turn/begin_turn.ts";
import { relayAnswer } from "./read_answer.ts";
import { runTurn } from "./turn/run_turn.ts";
import type { Question } from "./question.ts";
import type { TakeoverNotice } from "./begun_turn.ts";
import type { AcceptedTurn } from "./turn/turn.ts";
import type { RequestIdentity } from "../../core/wire/ids.ts";

/** An answer about to be written. `produce` must be called; it continues after the reader has disconnected. */
export type AnswerToCome = { head: AnswerHead; produce: (sink: AnswerSink) => Promise<void> };

/** The answer to a question. */
export type AskedAnswer = AnswerToCome & {
  /** Names the request among those that ask for the same answer. */
  runId: string;
};

/** Answers a message, which the caller may send. @throws as `beginTurn` does; nothing is stored then. */
export async function answerMessage(
  ctx: RequestContext,
  question: Question,
  identity: RequestIdentity,
): Promise<AskedAnswer> {
  return comeToAnswer(ctx, await beginTurn(ctx, question, identity));
}

/** The answer of a turn that has begun, or of one that needs no run. */
export function comeToAnswer(ctx: RequestContext, begun: AcceptedTurn): AskedAnswer {
  const { runId } = begun;
  if (!("earlier" in begun)) return { head: begun, runId, produce: (sink) => runTurn(ctx, begun, sink) };
  const { earlier: answer, waiting } = begun;
  return {
    head: answer,
    runId,
    produce: (sink) => waiting ? showNotice(answer, waiting, sink) : relayAnswer(ctx, { answer, after: 0 }, sink),
  };
}

function showNotice(answer: StoredAnswer, notice: TakeoverNotice, sink: AnswerSink): Promise<void> {
  sink.write([describeTakeover(notice)]);
  sink.end(answer);
  return Promise.resolve();
}
