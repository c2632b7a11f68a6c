import type { StoredAnswer } from "../answers/stored_answer.ts";
import type { AnswerSink } from "./answer_sink.ts";
import type { TakeoverNotice } from "./store.ts";

/** Tells who asks that the expert has taken over and will answer. It is not stored. */
export function showNotice(answer: StoredAnswer, { notice }: TakeoverNotice, sink: AnswerSink): Promise<void> {
  sink.write([notice ?? "The expert has joined this conversation and will answer you in person."]);
  sink.end(answer);
  return Promise.resolve();
}
