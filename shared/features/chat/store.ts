import * as z from "zod/mini";
import { readPhase } from "../../infra/llm/model_event.ts";
import { StoredAnswer } from "../../core/answers/stored_answer.ts";
import { type AccountDatabase, callRepeatable } from "../../infra/db/account_database.ts";
import type { Database } from "../../infra/db/database.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import { fieldsOf } from "../../base/fields_of.ts";
import type { SaidMessage } from "../../infra/llm/model_request.ts";
import type { ClientConversation } from "./question.ts";
import { reasoningEfforts, verbosities } from "../../infra/model_settings.ts";
import type { RequestIdentity } from "../../core/wire/request_identity.ts";

/** The notice shown to someone who asks during a takeover. */
const TakeoverNotice = replyObject({
  /** The coach's own notice; null: the default. */
  takeover_notice: z.nullable(z.string()),
  /** The coach's text search configuration in Postgres. */
  language: z.string(),
});
export type TakeoverNotice = z.infer<typeof TakeoverNotice>;

/** A pinned answer, as a turn uses it. */
const FoundAnswer = replyObject({ id: z.string(), version: z.number(), question: z.string(), answer: z.string() });

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
    /** A text search configuration of Postgres, such as `english`. */
    language: z.string(),
    /** The coach's sentence for saying that it does not know; null: the default. */
    no_answer: z.nullable(z.string()),
    /** The notice shown to someone who asks during a takeover; null: the default. */
    takeover_notice: z.nullable(z.string()),
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
  })),
};

/** A message of the history. */
export type HistoryMessage = SaidMessage & { is_by_expert?: true };

// By hand: a schema takes 218 µs of CPU for 40 messages, this 48. A turn has 1.4 ms.
function isSaidMessage(said: unknown): boolean {
  const { role, content, phase } = fieldsOf(said);
  return (role === "user" || role === "assistant" || role === "system") && typeof content === "string" &&
    (phase === undefined || phase === null || readPhase(phase) !== null);
}

/** A turn that has begun: the question and an empty answer are stored. */
const BegunTurn = replyObject({
  thread_id: z.string(),
  message_id: z.string(),
  created_at: z.string(),
  /** True if a bearer token identifies the coach's own user. */
  is_owner: z.boolean(),
  /** The question of an answer that is run again. */
  question: z.nullable(replyObject({ message: z.string(), mode: z.nullable(z.string()) })),
  /** Null: the client's own history is not part of the thread, and counts. */
  history: z.nullable(z.custom<HistoryMessage[]>((history) => Array.isArray(history) && history.every(isSaidMessage))),
  /** The maximum number of messages in a history. */
  history_limit: z.number(),
  /** The part of the budgets that is reserved for it; left out if there are none. */
  allowance: z.optional(replyObject({ output_tokens: z.nullable(z.number()) })),
  ...findings,
});
export type BegunTurn = z.infer<typeof BegunTurn>;
export type Coach = BegunTurn["coach"];
export type NearAnswer = BegunTurn["pinned"][number];
export type FoundPassage = BegunTurn["passages"][number];

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

// The usual reply first: the other is tried after it.
const BeginReply = z.union([BegunTurn, EarlierTurn]);

/** A question with everything that Postgres needs to begin a turn. */
export type NewTurn = RequestIdentity & {
  runId: string;
  /** Null starts a new thread. */
  threadId: string | null;
  /** The ID of the thread to start, or of the one that was started with it; null: Postgres makes one. */
  newThreadId: string | null;
  /** The question that this one replaces, together with everything after it; null: none. */
  replaces: string | null;
  /** Null: the thread's coach. */
  coachId: string | null;
  /** Null: the key acts alone and names no user. */
  userId: string | null;
  isSignedIn: boolean;
  message: string;
  /** The title of a new thread. */
  title: string;
  mode: string | null;
  /** True if only the coach's own user may do this. */
  isExpertAction: boolean;
  requestId: string;
  /** The maximum length of the history; null: only the coach's history_limit applies. */
  historyCharacters: number | null;
  conversation: ClientConversation | null;
  plan: TurnPlan;
};

/** The facts about the call of the model that only the caller knows, for budgets. */
export type TurnPlan = {
  /** The model of coaches that name none. */
  usualModel: string;
  /** The longest reply that the deployment or the request allow, in tokens; null: any. */
  outputMost: number | null;
  /** The tokens of the rules and tools, and of what the application says. */
  inputTokens: number;
  /** The tokens of the rules for quoted material. */
  quotedTokens: number;
  /** The model that embeds the question; null if none is configured. */
  embeddingModel: string | null;
  /** True if the embedding has counted on the budgets already. */
  isEmbeddingCounted: boolean;
};

function describePlan(plan: TurnPlan) {
  const { usualModel, outputMost, inputTokens, quotedTokens, embeddingModel, isEmbeddingCounted } = plan;
  return {
    model: usualModel,
    input_tokens: inputTokens,
    quoted_tokens: quotedTokens,
    output_most: outputMost ?? undefined,
    embedding_model: embeddingModel ?? undefined,
    // Left out, Postgres estimates it from the question.
    embedding_tokens: isEmbeddingCounted ? 0 : undefined,
  };
}

/**
 * Stores the question and an empty answer, and finds passages for the question, also by its embedding if there is one.
 */
export async function beginTurn(
  database: AccountDatabase,
  turn: NewTurn,
  queryVector: string | null,
): Promise<BegunTurn | EarlierTurn> {
  return await callRepeatable(database, "begin_turn", {
    user_id: turn.userId,
    turn: {
      run_id: turn.runId,
      thread_id: turn.threadId,
      new_thread_id: turn.newThreadId,
      replaces: turn.replaces,
      coach_id: turn.coachId,
      is_signed_in: turn.isSignedIn,
      is_expert_action: turn.isExpertAction,
      content: turn.message,
      title: turn.title,
      mode: turn.mode,
      query_vector: queryVector,
      history_characters: turn.historyCharacters,
      request_id: turn.requestId,
      idempotency_key: turn.idempotencyKey,
      fingerprint: turn.fingerprint,
      key_lasts: turn.keyLastsSeconds === undefined ? undefined : `${turn.keyLastsSeconds} s`,
      conversation: turn.conversation && describeConversation(turn.conversation),
      plan: describePlan(turn.plan),
    },
  }, BeginReply);
}

function describeConversation({ name, previousId, isStandalone, isUnkept, history }: ClientConversation) {
  return {
    name,
    previous_id: previousId,
    is_standalone: isStandalone,
    is_unkept: isUnkept,
    // Compared with what is stored, which holds no NUL.
    said: history.map(({ role, content }) => role[0] + content.trim().toWellFormed().replaceAll("\0", "")),
  };
}

/** An answer that waited for the expert, as a turn for the model; null if the model has nothing to do for it. */
const TakenTurn = z.nullable(z.object({ turn: z.nullable(BegunTurn) }));
export type TakenTurn = z.infer<typeof TakenTurn>;

/** The run that takes a turn. */
export type WaitingRun = Pick<NewTurn, "runId" | "historyCharacters" | "plan">;

/**
 * Begins the run of an answer that the expert has not given; null if there is none. If the same run has already begun
 * an answer, returns that one again, with passages for the embedding of its question.
 */
export async function takeWaitingTurn(
  database: Database,
  { runId, historyCharacters, plan }: WaitingRun,
  begun: { messageId: string; queryVector: string } | null,
): Promise<TakenTurn> {
  return await database.call("take_waiting_turn", {
    run_id: runId,
    message_id: begun?.messageId ?? null,
    query_vector: begun?.queryVector ?? null,
    history_characters: historyCharacters,
    plan: describePlan(plan),
  }, TakenTurn);
}

/** An answer that is to be run again. */
export type AnswerToRetry =
  & Pick<NewTurn, "runId" | "userId" | "isSignedIn" | "requestId" | "historyCharacters" | "plan">
  & { messageId: string };

/** Begins another run of an answer, and finds passages for its question, also by its embedding if there is one. */
export async function retryTurn(
  database: AccountDatabase,
  answer: AnswerToRetry,
  queryVector: string | null,
): Promise<BegunTurn | EarlierTurn> {
  return await callRepeatable(database, "begin_turn", {
    user_id: answer.userId,
    turn: {
      run_id: answer.runId,
      retried_id: answer.messageId,
      is_signed_in: answer.isSignedIn,
      query_vector: queryVector,
      history_characters: answer.historyCharacters,
      request_id: answer.requestId,
      plan: describePlan(answer.plan),
    },
  }, BeginReply);
}

/** The fields of the findings for a question that is only tried. */
export const findingsFields = {
  ...findings,
  /** The pinned answer that would be given word for word. */
  exact: z.nullable(FoundAnswer),
};
const Findings = replyObject(findingsFields);
export type Findings = z.infer<typeof Findings>;

/** Returns the material that a coach would use to answer a question. */
export async function tryQuestion(
  database: AccountDatabase,
  { coachId, userId, question, queryVector, isDraft }: {
    coachId: string;
    userId: string | null;
    question: string;
    queryVector: string | null;
    isDraft: boolean;
  },
): Promise<Findings> {
  return await database.call("try_question", {
    coach_id: coachId,
    user_id: userId,
    question,
    query_vector: queryVector,
    is_draft: isDraft,
  }, Findings);
}
