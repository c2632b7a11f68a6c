import * as z from "zod/mini";
import type { Database } from "../db/database.ts";
import { replyObject } from "../db/reply_object.ts";
import type { AnswerState, AskedAnswer, SaveRemark } from "./answer.ts";
import { StoredAnswer } from "./stored_answer.ts";

const SaveReply = z.array(replyObject({ message_id: z.string(), reason: z.enum(["stopped", "lost", "gap"]) }));

const ReadReply = z.array(z.nullable(StoredAnswer));
const StopReply = z.nullable(StoredAnswer);

/** Saves the progress or the end of answers. Returns those whose runs should end, or should save their whole text. */
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
    input_tokens: answer.inputTokens,
    output_tokens: answer.outputTokens,
    sources: answer.sources,
    phase: answer.phase,
  }));
  return await database.call("save_turns", { turns }, SaveReply);
}

/** How answers are now, in the order in which they were asked for; null for each that the caller does not have. */
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

/**
 * Asks the run of an answer to end. With `isForced` the answer is ended at once, with the text that is stored.
 *
 * @returns how the answer is now; null where the caller does not have it.
 */
export async function stopAnswer(
  database: Database,
  { accountId, userId, messageId, isForced }: Omit<AskedAnswer, "after"> & { isForced: boolean },
): Promise<StoredAnswer | null> {
  return await database.call(
    "stop_turn",
    { account_id: accountId, user_id: userId, message_id: messageId, is_forced: isForced },
    StopReply,
  );
}
