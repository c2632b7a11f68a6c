import { readQuestion } from "../../shared/core/questions/read_questions.ts";
import type { Database } from "../../shared/infra/db/database_types.ts";
import { operator } from "./project.ts";

/** The arguments of SQL `keep_question`, with the question as the service reads it. */
export async function asRead<Args extends { question: string | null }>(args: Args) {
  return { ...args, question: args.question === null ? null : await readQuestion(args.question, "english") };
}

type Pinned = Database["public"]["Tables"]["pinned_answers"]["Row"];
type Given = Pick<Pinned, "account_id" | "coach_id" | "question" | "answer"> & { variants?: string[] };

/** Pins an answer for a server with a key. */
export async function pinAnswer({ account_id, coach_id, question, variants = [], answer }: Given): Promise<Pinned> {
  const questions = await Promise.all([question, ...variants].map((text) => readQuestion(text, "english")));
  const args = { caller: { account_id }, user_id: null!, coach_id, questions, answer, is_active: true };
  const { data } = await operator.rpc("create_pinned_answer", args).throwOnError();
  const { id } = data as { id: string };
  return (await operator.from("pinned_answers").select().eq("id", id).single().throwOnError()).data;
}
