import * as z from "zod/mini";
import { fieldsOf } from "../../libs/base/fields_of.ts";
import { StoredAnswer } from "../../core/answers/stored_answer.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import { readPhase } from "../../libs/llm/model_event.ts";
import type { SaidMessage } from "../../libs/llm/model_request.ts";
import { reasoningEfforts, verbosities } from "../../libs/llm/model_settings.ts";

/** A pinned answer, as a turn uses it. */
const FoundAnswer = replyObject({ id: z.string(), version: z.number(), question: z.string(), answer: z.string() });

/** What the notice for somebody who asks during a takeover is made of. */
const notice = {
  /** A text search configuration of Postgres, such as `english`. */
  language: z.string(),
  /** The coach's own notice; null: the default. */
  takeover_notice: z.nullable(z.string()),
};
export const TakeoverNotice = replyObject(notice);
export type TakeoverNotice = z.infer<typeof TakeoverNotice>;

/** The findings for a question: the coach who answers it, and the material to answer it from. */
const findings = {
  coach: replyObject({
    id: z.string(),
    name: z.string(),
    title: z.string(),
    instructions: z.string(),
    model: z.nullable(z.string()),
    temperature: z.nullable(z.number()),
    reasoning_effort: z.nullable(z.enum(reasoningEfforts)),
    verbosity: z.nullable(z.enum(verbosities)),
    max_output_tokens: z.nullable(z.number()),
    store_responses: z.nullable(z.boolean()),
    /** The coach's sentence for saying that it does not know; null: the default. */
    no_answer: z.nullable(z.string()),
    ...notice,
  }),
  /** Lowercase hexadecimal. Identifies the user to the model's server without telling it who that is. */
  user_hash: z.string(),
  /** Pinned answers to similar questions, best first. */
  pinned: z.array(FoundAnswer),
  /** Passages of the coach's files that match the message, best first. */
  passages: z.array(replyObject({
    passage_id: z.string(),
    file_id: z.string(),
    filename: z.string(),
    source_url: z.nullable(z.string()),
    position: z.int(),
    page: z.nullable(z.number()),
    heading: z.nullable(z.string()),
    /** The day on which the file was uploaded or the page last read, as YYYY-MM-DD in UTC. */
    date: z.string(),
    content: z.string(),
    score: z.number(),
    seconds: z.optional(z.int()),
    is_recognized: z.optional(z.boolean()),
  })),
};

/** The fields of the findings for a question that is only tried. */
export const findingsFields = {
  ...findings,
  /** The pinned answer that would be given word for word. */
  exact: z.nullable(FoundAnswer),
  /** The maximum number of messages in a history. */
  history_limit: z.number(),
};

/** The same as a reply of Postgres. */
export const Findings = replyObject(findingsFields);
export type Findings = z.infer<typeof Findings>;

export type Coach = Findings["coach"];
export type NearAnswer = Findings["pinned"][number];
export type FoundPassage = Findings["passages"][number];

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

/** An answer without a call of the model: begun before, given word for word, or waiting for the expert. */
const EarlierTurn = z.object({
  earlier: StoredAnswer,
  /** The notice, if the answer waits for the expert. */
  waiting: z.optional(TakeoverNotice),
});
export type EarlierTurn = z.infer<typeof EarlierTurn>;

/** What Postgres replies to one who begins a turn. The usual reply is first: the other is tried after it. */
export const BeginReply = z.union([BegunTurn, EarlierTurn]);
