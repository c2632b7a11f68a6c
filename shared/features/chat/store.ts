import * as z from "zod/mini";
import { readPhase } from "../../infra/llm/model_event.ts";
import { StoredAnswer } from "../../core/answers/stored_answer.ts";
import { type AccountDatabase, callRepeatable } from "../../infra/db/account_database.ts";
import type { Database } from "../../infra/db/database.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import { fieldsOf } from "../../base/fields_of.ts";
import type { SaidMessage } from "../../infra/llm/model_request.ts";
import { reasoningEfforts, verbosities } from "../../infra/model_settings.ts";
import type { RequestIdentity } from "../../core/wire/idempotency_key.ts";

/** What a person is told who asks while the expert has taken over. */
const TakeoverNotice = replyObject({
  /** The coach's own; null: a usual one. */
  takeover_notice: z.nullable(z.string()),
  /** Of the coach: a text search configuration of Postgres. */
  language: z.string(),
});
export type TakeoverNotice = z.infer<typeof TakeoverNotice>;

/** A pinned answer, as a turn uses it. */
const FoundAnswer = replyObject({ id: z.string(), version: z.number(), question: z.string(), answer: z.string() });

/** What is found for a question: who answers it, and from what. */
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
    /** A text search configuration of Postgres, such as `english`. */
    language: z.string(),
    /** How the persona says that it does not know; null: in a usual sentence. */
    no_answer: z.nullable(z.string()),
    /** What somebody reads who asks while the expert has taken over; null: a usual sentence. */
    takeover_notice: z.nullable(z.string()),
  }),
  /** Lower-case hexadecimal; names the user to the model's server, and tells it nothing else. */
  user_hash: z.string(),
  /** Pinned answers to questions near this one, best first. */
  pinned: z.array(FoundAnswer),
  /** Passages of the coach's files that fit the message, best first. */
  passages: z.array(replyObject({
    passage_id: z.string(),
    file_id: z.string(),
    filename: z.string(),
    page: z.nullable(z.number()),
    heading: z.nullable(z.string()),
    content: z.string(),
    score: z.number(),
  })),
};

// By hand: a schema takes 218 µs of CPU for 40 messages, this 48. A turn has 1.4 ms.
function isSaidMessage(said: unknown): boolean {
  const { role, content, phase } = fieldsOf(said);
  return (role === "user" || role === "assistant" || role === "system") && typeof content === "string" &&
    (phase === undefined || phase === null || readPhase(phase) !== null);
}

/** A turn that has begun: question and empty answer are stored. */
const BegunTurn = replyObject({
  thread_id: z.string(),
  message_id: z.string(),
  created_at: z.string(),
  /** Whether a bearer token signs the coach's own user in. */
  is_owner: z.boolean(),
  /** What was asked, where an answer is run again. */
  question: z.nullable(replyObject({ message: z.string(), mode: z.nullable(z.string()) })),
  history: z.custom<SaidMessage[]>((history) => Array.isArray(history) && history.every(isSaidMessage)),
  ...findings,
});
export type BegunTurn = z.infer<typeof BegunTurn>;
export type Coach = BegunTurn["coach"];
export type NearAnswer = BegunTurn["pinned"][number];
export type FoundPassage = BegunTurn["passages"][number];

/**
 * An answer that the model is not asked for: it was begun before, with the same idempotency key or by another retry; it
 * was given word for word; or it waits for the expert.
 */
const EarlierTurn = z.object({
  earlier: StoredAnswer,
  /** Where it waits: what to say about that. */
  waiting: z.optional(TakeoverNotice),
});
export type EarlierTurn = z.infer<typeof EarlierTurn>;

// The usual reply first: the other is tried after it.
const BeginReply = z.union([BegunTurn, EarlierTurn]);

/** A question with all that Postgres needs to begin a turn. */
export type NewTurn = RequestIdentity & {
  runId: string;
  /** Null: a new thread. */
  threadId: string | null;
  /** The id of the thread to start, or of the one that was started with it; null: Postgres makes one. */
  newThreadId: string | null;
  /** The question that this one takes the place of, with all that comes after it; null: none. */
  replaces: string | null;
  /** Null: the coach of the thread. */
  coachId: string | null;
  /** Null: the key acts alone and names no user. */
  userId: string | null;
  isSignedIn: boolean;
  message: string;
  /** Of the thread, if it is a new one. */
  title: string;
  mode: string | null;
  /** Whether only the coach's own user may do this. */
  isExpertAction: boolean;
  requestId: string;
  /** How long the history may be; null: as long as the coach's history_limit makes it. */
  historyCharacters: number | null;
};

/** Stores question and empty answer, and finds passages for the question, with its embedding where there is one. */
export async function beginTurn(
  database: AccountDatabase,
  turn: NewTurn,
  queryVector: string | null,
): Promise<BegunTurn | EarlierTurn> {
  return await callRepeatable(database, "begin_turn", {
    thread_id: turn.threadId,
    coach_id: turn.coachId,
    user_id: turn.userId,
    content: turn.message,
    title: turn.title,
    mode: turn.mode,
    request_id: turn.requestId,
    is_signed_in: turn.isSignedIn,
    is_expert_action: turn.isExpertAction,
    query_vector: queryVector,
    run_id: turn.runId,
    idempotency_key: turn.idempotencyKey,
    fingerprint: turn.fingerprint,
    history_characters: turn.historyCharacters,
    new_thread_id: turn.newThreadId,
    replaces: turn.replaces,
  }, BeginReply);
}

/** What has come of an answer that waited for the expert: a turn for the model; null where it needs none. */
const TakenTurn = z.nullable(z.object({ turn: z.nullable(BegunTurn) }));
export type TakenTurn = z.infer<typeof TakenTurn>;

/** Which run takes a turn. */
export type WaitingRun = Pick<NewTurn, "runId" | "historyCharacters">;

/**
 * Begins the run of an answer that has waited for the expert in vain; null where there is none. With the answer that the
 * same run has begun, describes it once more, with passages for the embedding of its question.
 */
export async function takeWaitingTurn(
  database: Database,
  { runId, historyCharacters }: WaitingRun,
  begun: { messageId: string; queryVector: string } | null,
): Promise<TakenTurn> {
  return await database.call("take_waiting_turn", {
    run_id: runId,
    message_id: begun?.messageId ?? null,
    query_vector: begun?.queryVector ?? null,
    history_characters: historyCharacters,
  }, TakenTurn);
}

/** An answer that is to be run again. */
export type AnswerToRetry = Pick<NewTurn, "runId" | "userId" | "isSignedIn" | "requestId" | "historyCharacters"> & {
  messageId: string;
};

/** Begins another run of an answer, and finds passages for its question, with its embedding where there is one. */
export async function retryTurn(
  database: AccountDatabase,
  answer: AnswerToRetry,
  queryVector: string | null,
): Promise<BegunTurn | EarlierTurn> {
  return await callRepeatable(database, "retry_turn", {
    message_id: answer.messageId,
    user_id: answer.userId,
    request_id: answer.requestId,
    is_signed_in: answer.isSignedIn,
    query_vector: queryVector,
    run_id: answer.runId,
    history_characters: answer.historyCharacters,
  }, BeginReply);
}

/** What is found for a question that is only tried. */
const Findings = replyObject({
  ...findings,
  /** The pinned answer that would be given word for word. */
  exact: z.nullable(FoundAnswer),
});
export type Findings = z.infer<typeof Findings>;

/** Finds what a coach would answer a question from. */
export async function tryQuestion(
  database: AccountDatabase,
  { coachId, userId, question, queryVector }: {
    coachId: string;
    userId: string | null;
    question: string;
    queryVector: string | null;
  },
): Promise<Findings> {
  return await database.call("try_question", {
    coach_id: coachId,
    user_id: userId,
    question,
    query_vector: queryVector,
  }, Findings);
}
