import * as z from "zod/mini";
import type { AccountDatabase } from "../../infra/db/account_database.ts";
import type { Database } from "../../infra/db/database.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import type { CountedUsage } from "../../libs/llm/usage_meter.ts";
import type { AnswerState, AskedAnswer, SaveRemark } from "./answer.ts";
import { Source, StoredAnswer } from "./stored_answer.ts";

const SaveReply = z.array(replyObject({
  message_id: z.string(),
  reason: z.enum(["stopped", "taken_over", "lost", "gap", "ended"]),
  sources: z.optional(z.array(Source)),
}));

const ReadReply = z.array(z.nullable(StoredAnswer));
const OneReply = z.nullable(StoredAnswer);

/** Saves the progress or the end of answers. Returns what those runs should do, and the sources of ended answers. */
export async function saveAnswers(database: Database, answers: AnswerState[]): Promise<SaveRemark[]> {
  const turns = answers.map((answer) => ({
    message_id: answer.messageId,
    run_id: answer.runId,
    content: answer.content,
    content_from: answer.contentFrom,
    status: answer.status,
    error_code: answer.errorCode,
    error: answer.error,
    response_id: answer.responseId,
    other_response_ids: answer.otherResponseIds,
    ...(answer.usage && countColumns(answer.usage)),
    model: answer.model,
    sources: answer.sources,
    phase: answer.phase,
    is_unread: answer.isUnread,
  }));
  return await database.call("save_turns", { turns }, SaveReply);
}

/** The tokens of an answer, in the columns of Postgres: two sums, and what is part of them. */
export function countColumns(usage: CountedUsage) {
  return {
    input_tokens: usage.freshInput + usage.cachedInput,
    cached_tokens: usage.cachedInput,
    output_tokens: usage.visibleOutput + usage.reasoning,
    reasoning_tokens: usage.reasoning,
    is_estimated: usage.isEstimated,
  };
}

/** Returns the present state of answers, in the order of `asked`; null for each that the caller does not have. */
export async function readAnswers(database: Database, asked: AskedAnswer[]): Promise<(StoredAnswer | null)[]> {
  return await database.call("read_answers", {
    asked: asked.map(({ accountId, userId, messageId, after }) => ({
      account_id: accountId,
      user_id: userId,
      message_id: messageId,
      after,
    })),
  }, ReadReply);
}

/** Returns the present state of an answer; null if the caller does not have it. */
export async function readAnswer(
  database: AccountDatabase,
  { userId, messageId, after }: Omit<AskedAnswer, "accountId">,
): Promise<StoredAnswer | null> {
  return await database.call("read_answer", { user_id: userId, message_id: messageId, after }, OneReply);
}

/** Asks the run of an answer to end, or ends it (`isForced`). Returns its present state; null for no such answer. */
export async function stopAnswer(
  database: AccountDatabase,
  { userId, messageId, isForced, runId }: {
    userId: string | null;
    messageId: string;
    isForced: boolean;
    /** Names the request whose client has left: if another has asked for the answer since, it goes on. */
    runId?: string;
  },
): Promise<StoredAnswer | null> {
  return await database.call(
    "stop_turn",
    { user_id: userId, message_id: messageId, is_forced: isForced, run_id: runId },
    OneReply,
  );
}
