import type { StoredAnswer } from "./stored_answer.ts";
import type { RunningAnswer } from "./answer_journal.ts";

/** What is known of an answer before its first word. */
export type AnswerHead = {
  threadId: string;
  messageId: string;
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string;
  /** The run that writes it. The first has the id of the message; every retry is a new one. */
  runId: string | null;
};

/** The head of a stored answer. */
export function headOf({ thread_id, message_id, created_at, run_id }: StoredAnswer): AnswerHead {
  return { threadId: thread_id, messageId: message_id, createdAt: created_at, runId: run_id };
}

/**
 * What the ids of events end with, besides the number of characters: nothing in the first run of a turn. A position in
 * the text of one run means nothing in that of another.
 */
export function nameRun({ messageId, runId }: AnswerHead): string {
  return runId === null || runId === messageId ? "" : `-${runId.slice(0, 8)}`;
}

/** How an answer ended. */
export type Ending = Pick<RunningAnswer, "status" | "response_id" | "input_tokens" | "output_tokens" | "sources">;
