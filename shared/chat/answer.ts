import type { AnswerObject } from "./replies.ts";
import type { StoredAnswer } from "./schemas.ts";
import type { OpenTurn } from "./turn_journal.ts";

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
export type Ending = Pick<OpenTurn, "status" | "response_id" | "input_tokens" | "output_tokens" | "sources">;

/** Puts a whole answer together. */
export function describeAnswer(
  { threadId, messageId, createdAt }: AnswerHead,
  content: string,
  { response_id, sources }: Ending,
): AnswerObject {
  return {
    thread_id: threadId,
    message: {
      id: messageId,
      thread_id: threadId,
      content,
      role: "assistant",
      response_id: response_id ?? null,
      created_at: createdAt,
    },
    sources: sources ?? [],
  };
}
