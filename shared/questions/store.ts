import * as z from "zod/mini";
import type { Database } from "../db/database.ts";

/** What the run of an answer did not know. */
export type UnansweredQuestion = {
  messageId: string;
  /** The run that writes the answer. */
  runId: string;
  /** One sentence that stands alone; null: there is none. */
  question: string | null;
  /** Whether the person has asked for a human, and waits for one. */
  isForHuman: boolean;
};

/** Keeps a question for the expert, and returns its id; null where the answer is no longer this run's, or asks too many. */
export async function keepQuestion(
  database: Database,
  { messageId, runId, question, isForHuman }: UnansweredQuestion,
): Promise<string | null> {
  return await database.call("keep_question", {
    message_id: messageId,
    run_id: runId,
    question,
    is_for_human: isForHuman,
  }, z.nullable(z.string()));
}
