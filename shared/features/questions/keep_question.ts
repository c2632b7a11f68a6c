import * as z from "zod/mini";
import { withQuestions } from "../../core/questions/read_questions.ts";
import type { Database } from "../../infra/db/database.ts";

/** A question that the run of an answer could not answer. */
export type UnansweredQuestion = {
  messageId: string;
  /** The run that writes the answer. */
  runId: string;
  /** One sentence that makes sense on its own; null if there is none. */
  question: string | null;
  /** True if the person has asked for a human, and waits for one. */
  isForHuman: boolean;
};

/** A sentence on one line, short enough to be kept; empty if nothing is left. */
export function tidySentence(sentence: string): string {
  // A model may write characters that Postgres cannot store.
  const tidy = sentence.replaceAll("\0", " ").toWellFormed().replace(/\s+/g, " ").trim();
  return [...tidy].slice(0, 1_000).join("").trim();
}

/** Keeps a question for the expert. Returns its ID; null for another run's answer, and for too many questions. */
export async function keepQuestion(
  database: Database,
  { messageId, runId, question, isForHuman }: UnansweredQuestion,
): Promise<string | null> {
  const sentence = question && tidySentence(question);
  return await withQuestions({}, sentence ? [sentence] : [], ([asked]) =>
    database.call("keep_question", {
      message_id: messageId,
      run_id: runId,
      question: asked ?? null,
      is_for_human: isForHuman,
    }, z.nullable(z.string())));
}
