import { readQuestion } from "../../shared/core/questions/read_questions.ts";
import type { Database } from "../../shared/infra/db/database_types.ts";
import { operator } from "./project.ts";

/** Keeps a question for the expert as the run of an answer does, and returns its ID; null where it is not kept. */
export async function storeQuestion(
  messageId: string,
  question: string | null,
  { isForHuman = false, runId = messageId } = {},
): Promise<string> {
  const { data } = await operator.rpc("keep_question", {
    message_id: messageId,
    run_id: runId,
    question: question === null ? null : await readQuestion(question, "english"),
    is_for_human: isForHuman,
  }).throwOnError();
  return data;
}

type Pinned = Database["public"]["Tables"]["pinned_answers"]["Row"];
type Given = Pick<Pinned, "question" | "answer"> & { variants?: string[] };

/** Pins an answer for a server with a key. */
export async function pinAnswer(
  { accountId: account_id, coachId: coach_id }: { accountId: string; coachId: string },
  { question, variants = [], answer }: Given,
): Promise<Pinned> {
  const questions = await Promise.all([question, ...variants].map((text) => readQuestion(text, "english")));
  const args = { caller: { account_id }, user_id: null!, coach_id, questions, answer, is_active: true };
  const { data } = await operator.rpc("create_pinned_answer", args).throwOnError();
  const { id } = data as { id: string };
  return (await operator.from("pinned_answers").select().eq("id", id).single().throwOnError()).data;
}
