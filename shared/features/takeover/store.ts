import * as z from "zod/mini";
import { type AccountDatabase, callRepeatable } from "../../infra/db/account_database.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import { ThreadWithState } from "../threads/replies.ts";
import type { RequestIdentity } from "../../core/wire/request_identity.ts";
import { ExpertMessage, RevisedAnswer } from "./replies.ts";

/** Which thread, for which expert. */
export type ThreadOfExpert = {
  threadId: string;
  /** Null: the key acts alone. */
  userId: string | null;
};

const Refusal = z.object({
  error: z.enum([
    "thread_not_found",
    "not_the_expert",
    "idempotency_key_reused",
    "message_not_found",
    "answer_unfinished",
    "passage_not_found",
    "question_required",
  ]),
});
/** Why something was not done. */
export type Refusal = z.infer<typeof Refusal>;

const TakenThread = z.object({ thread: ThreadWithState });
const TakeReply = z.union([TakenThread, Refusal]);

/** Hands a thread to its expert, and ends what the model is writing there. */
export async function takeOver(
  database: AccountDatabase,
  { threadId, userId }: ThreadOfExpert,
): Promise<z.infer<typeof TakeReply>> {
  return await callRepeatable(database, "take_over", { user_id: userId, thread_id: threadId }, TakeReply);
}

const ReleasedThread = replyObject({
  thread: ThreadWithState,
  /** Whether a question waits for an answer. */
  is_waiting: z.boolean(),
});
const ReleaseReply = z.union([ReleasedThread, Refusal]);

/** Hands a thread back to the model. */
export async function releaseThread(
  database: AccountDatabase,
  { threadId, userId }: ThreadOfExpert,
): Promise<z.infer<typeof ReleaseReply>> {
  return await callRepeatable(database, "release_thread", { user_id: userId, thread_id: threadId }, ReleaseReply);
}

/** What an expert says. */
export type NewExpertMessage = ThreadOfExpert & RequestIdentity & { content: string; requestId: string };

const SaidMessage = z.object({ message: ExpertMessage });
const SayReply = z.union([SaidMessage, Refusal]);

/** Stores what the expert says, and hands the thread to them. */
export async function sayAsExpert(
  database: AccountDatabase,
  { threadId, userId, content, requestId, idempotencyKey, fingerprint }: NewExpertMessage,
): Promise<z.infer<typeof SayReply>> {
  return await callRepeatable(database, "say_as_expert", {
    user_id: userId,
    thread_id: threadId,
    content,
    request_id: requestId,
    idempotency_key: idempotencyKey ?? null,
    fingerprint: fingerprint ?? null,
  }, SayReply);
}

/** What an expert corrects. */
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

const ReviseReply = z.union([RevisedAnswer, Refusal]);

/** Pins the correction of an answer, and bars what misled. */
export async function reviseAnswer(
  database: AccountDatabase,
  revision: Revision,
): Promise<z.infer<typeof ReviseReply>> {
  return await callRepeatable(database, "revise_answer", {
    user_id: revision.userId,
    thread_id: revision.threadId,
    message_id: revision.messageId,
    answer: revision.answer,
    question: revision.question,
    notify: revision.notify,
    bar_passages: revision.barPassages,
    request_id: revision.requestId,
    idempotency_key: revision.idempotencyKey ?? null,
    fingerprint: revision.fingerprint ?? null,
  }, ReviseReply);
}
