import * as z from "zod/mini";
import { type AccountDatabase, callRepeatable } from "../../infra/db/account_database.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import { ThreadWithState } from "../threads/replies.ts";
import type { RequestIdentity } from "../../core/wire/request_identity.ts";
import { ExpertMessage, RevisedAnswer } from "./replies.ts";

/** A thread, and its expert. */
export type ThreadOfExpert = {
  threadId: string;
  /** Null: the key acts alone. */
  userId: string | null;
};

const TakenThread = z.object({ thread: ThreadWithState });

/** Starts a takeover of a thread, and ends the answer that the model is writing there. */
export async function takeOver(
  database: AccountDatabase,
  { threadId, userId }: ThreadOfExpert,
): Promise<z.infer<typeof TakenThread>> {
  return await callRepeatable(database, "take_over", { user_id: userId, thread_id: threadId }, TakenThread);
}

const ReleasedThread = replyObject({
  thread: ThreadWithState,
  /** True if a question waits for an answer. */
  is_waiting: z.boolean(),
});

/** Hands a thread back to the model. */
export async function releaseThread(
  database: AccountDatabase,
  { threadId, userId }: ThreadOfExpert,
): Promise<z.infer<typeof ReleasedThread>> {
  return await callRepeatable(database, "release_thread", { user_id: userId, thread_id: threadId }, ReleasedThread);
}

/** A message of an expert. */
export type NewExpertMessage = ThreadOfExpert & RequestIdentity & {
  content: string;
  /** The question that it answers; null: the oldest that waits. */
  inReplyTo: string | null;
  requestId: string;
};

const SaidMessage = z.object({ message: ExpertMessage });

/** Stores a message of the expert, and starts a takeover of the thread. */
export async function sayAsExpert(
  database: AccountDatabase,
  { threadId, userId, content, inReplyTo, requestId, idempotencyKey, fingerprint }: NewExpertMessage,
): Promise<z.infer<typeof SaidMessage>> {
  return await callRepeatable(database, "say_as_expert", {
    user_id: userId,
    thread_id: threadId,
    content,
    in_reply_to: inReplyTo,
    request_id: requestId,
    idempotency_key: idempotencyKey ?? null,
    fingerprint: fingerprint ?? null,
  }, SaidMessage);
}

/** A correction by an expert. */
export type Revision = ThreadOfExpert & RequestIdentity & {
  /** Null: no answer can have such an id. */
  messageId: string | null;
  answer: string;
  /** Null: that of the open question to which the answer has led. */
  question: string | null;
  notify: boolean;
  barPassages: string[];
  requestId: string;
};

/** Pins the correction of an answer, and bars what misled. */
export async function reviseAnswer(
  database: AccountDatabase,
  revision: Revision,
): Promise<RevisedAnswer> {
  return await callRepeatable(database, "revise_answer", {
    user_id: revision.userId,
    revision: {
      thread_id: revision.threadId,
      message_id: revision.messageId,
      answer: revision.answer,
      question: revision.question,
      notify: revision.notify,
      bar_passages: revision.barPassages,
      request_id: revision.requestId,
      idempotency_key: revision.idempotencyKey,
      fingerprint: revision.fingerprint,
    },
  }, RevisedAnswer);
}
