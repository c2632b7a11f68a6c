import type { AnswerHead, Ending } from "../../core/answers/answer.ts";
import type { AnswerObject } from "./replies.ts";

/** Builds the object of a whole answer. */
export function describeAnswer(
  { threadId, messageId, createdAt }: AnswerHead,
  content: string,
  { status, author = "ai", responseId, sources }: Ending,
): AnswerObject {
  return {
    thread_id: threadId,
    message: {
      id: messageId,
      thread_id: threadId,
      content,
      role: "assistant",
      response_id: responseId ?? null,
      created_at: createdAt,
    },
    sources: sources ?? [],
    status,
    author,
  };
}
