import * as z from "zod/mini";
import { fieldsOf } from "../../libs/base/fields_of.ts";
import { StoredAnswer } from "../../core/answers/stored_answer.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import { readPhase } from "../../libs/llm/model_event.ts";
import type { SaidMessage } from "../../libs/llm/model_request.ts";
import { findings, TakeoverNotice } from "./findings.ts";

/** A message of the history. */
export type HistoryMessage = SaidMessage & { is_by_expert?: true };

// By hand: a schema takes 218 µs of CPU for 40 messages, this 48. A turn has 1.4 ms.
function isSaidMessage(said: unknown): boolean {
  const { role, content, phase } = fieldsOf(said);
  return (role === "user" || role === "assistant" || role === "system") && typeof content === "string" &&
    (phase === undefined || phase === null || readPhase(phase) !== null);
}

/** The messages before a question. */
export const History = z.custom<HistoryMessage[]>((history) => Array.isArray(history) && history.every(isSaidMessage));

/** A turn that has begun: the question and an empty answer are stored. */
export const BegunTurn = replyObject({
  thread_id: z.string(),
  message_id: z.string(),
  created_at: z.string(),
  /** True if a bearer token identifies the coach's own user. */
  is_owner: z.boolean(),
  /** The question of an answer that is run again. */
  question: z.nullable(replyObject({ message: z.string(), mode: z.nullable(z.string()) })),
  /** Null: the client's own history is not part of the thread, and counts. */
  history: z.nullable(History),
  /** The maximum number of messages in a history. */
  history_limit: z.number(),
  /** The part of the budgets that is reserved for it; left out if there are none. */
  allowance: z.optional(replyObject({ output_tokens: z.nullable(z.number()) })),
  ...findings,
});
export type BegunTurn = z.infer<typeof BegunTurn>;

/**
 * An answer that needs no call of the model: it was begun before, with the same idempotency key or by another retry; it
 * was given word for word; or it waits for the expert.
 */
const EarlierTurn = z.object({
  earlier: StoredAnswer,
  /** The notice, if the answer waits for the expert. */
  waiting: z.optional(TakeoverNotice),
});
export type EarlierTurn = z.infer<typeof EarlierTurn>;

/** What Postgres replies to one who begins a turn. The usual reply is first: the other is tried after it. */
export const BeginReply = z.union([BegunTurn, EarlierTurn]);
