import type { RequestContext } from "../../core/context.ts";
import type { AnswerHead } from "../../core/answers/answer.ts";
import type { StoredAnswer } from "../../core/answers/stored_answer.ts";
import type { AnswerSink } from "./answer_sinks.ts";
import { describeTakeover } from "./prompt/usual_sentences.ts";
import { beginTurn, retryTurn } from "./turn/begin_turn.ts";
import { relayAnswer } from "./relay_answer.ts";
import { runTurn } from "./turn/run_turn.ts";
import { errors } from "../../base/errors.ts";
import type { Question } from "./question.ts";
import type { TakeoverNotice } from "./store.ts";
import type { AcceptedTurn } from "./turn/turn.ts";
import { identifyRequest } from "../../core/wire/idempotency_key.ts";
import type { RequestIdentity } from "../../core/wire/request_identity.ts";
import type { ChatBody, ChatInput, RetryAnswerInput } from "./schemas.ts";

/**
 * An answer that is about to be written. `produce` writes it to a sink. It must be called, and continues after the
 * reader has disconnected.
 */
export type AnswerToCome = { head: AnswerHead; produce: (sink: AnswerSink) => Promise<void> };

/** The answer to a question. */
export type AskedAnswer = AnswerToCome & {
  /** Names the request among those that ask for the same answer. */
  runId: string;
};

/**
 * Accepts a message. Returns the answer of a new turn. If a message with the same idempotency key was sent before,
 * returns that one's answer.
 *
 * @throws 400 for two different keys, 400, 401, 403 if the caller may not send it, and as `beginTurn` does; nothing is
 * stored then.
 */
export async function answerMessage(
  ctx: RequestContext,
  { idempotencyKey, idempotency_key, ...body }: ChatInput,
): Promise<AskedAnswer> {
  if (idempotencyKey !== undefined && (idempotency_key ?? idempotencyKey) !== idempotencyKey) {
    throw errors.invalidInput("idempotency_key must be the same as Idempotency-Key");
  }
  const key = idempotencyKey ?? idempotency_key ?? undefined;
  // Made of the parsed body, so the order of its fields and unknown fields do not matter.
  return answerQuestion(ctx, await readQuestion(ctx, body), identifyRequest(key, body));
}

/** Answers a question that the caller may ask. @throws as `beginTurn` does; nothing is stored then. */
export async function answerQuestion(
  ctx: RequestContext,
  question: Question,
  identity: RequestIdentity,
): Promise<AskedAnswer> {
  return comeToAnswer(ctx, await beginTurn(ctx, question, identity));
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

function comeToAnswer(ctx: RequestContext, begun: AcceptedTurn): AskedAnswer {
  const { runId } = begun;
  if (!("earlier" in begun)) return { head: begun, runId, produce: (sink) => runTurn(ctx, begun, sink) };
  const { earlier: answer, waiting } = begun;
  return {
    head: answer,
    runId,
    produce: (sink) => waiting ? showNotice(answer, waiting, sink) : relayAnswer(ctx, { answer, after: 0 }, sink),
  };
}

/** Shows the notice of a takeover instead of an answer. */
function showNotice(answer: StoredAnswer, notice: TakeoverNotice, sink: AnswerSink): Promise<void> {
  sink.write([describeTakeover(notice)]);
  sink.end(answer);
  return Promise.resolve();
}

/**
 * Reads the body of a message.
 *
 * @throws 400, 401, 403 when the caller may not ask it.
 */
async function readQuestion(
  ctx: RequestContext,
  { message, thread_id, new_thread_id, replaces, context }: Omit<ChatBody, "idempotency_key">,
): Promise<Question> {
  const userId = readUser(ctx, context);
  const coachId = context?.coachId?.trim() ? context.coachId : null;
  const mode = context?.mode ?? null;
  const note = mode === "create_knowledge" ? await readNote(ctx, message) : null;
  if (thread_id && new_thread_id) throw errors.invalidInput("thread_id and new_thread_id cannot be sent together");
  if (replaces && new_thread_id) throw errors.invalidInput("replaces and new_thread_id cannot be sent together");
  // Whether the thread of new_thread_id exists already, Postgres knows.
  if (!thread_id && !new_thread_id && !replaces && coachId === null) throw errors.coachRequired();
  return {
    message,
    mode,
    timeZone: context?.time_zone ?? undefined,
    threadId: thread_id ?? null,
    newThreadId: new_thread_id ?? null,
    replaces: replaces ?? null,
    coachId,
    userId,
    note,
    conversation: null,
  };
}

/** The user a message is from; null when the key alone asks and names no user. */
function readUser({ userId }: RequestContext, context: ChatBody["context"]): string | null {
  if (userId === null) {
    if (context?.isAuthenticated) throw errors.invalidAccessToken();
    return context?.userId ?? null;
  }
  if (context?.userId && context.userId !== userId) throw errors.userMismatch();
  return userId;
}

/** A message as a note, without `create_knowledge:` at its beginning. Postgres checks that the user is the coach. */
async function readNote({ userId, admission }: RequestContext, message: string): Promise<string> {
  if (userId === null) throw errors.invalidAccessToken();
  await admission.require();
  if (!admission.holds("knowledge:write")) throw errors.missingScope("knowledge:write");
  const note = message.replace(/^\s*create_knowledge\s*:/i, "").trim();
  if (note === "") throw errors.invalidInput("message must contain a note after create_knowledge:");
  return note;
}
