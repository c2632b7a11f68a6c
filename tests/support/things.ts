import { inventPassageId, nothing, type Thing } from "./interface.ts";
import { operator, type Tenant } from "./project.ts";
import { storeAnswers } from "./turns.ts";

/** Creates conversations with a coach, each with an open question and a pinned answer. Nothing else of them exists. */
export async function createThings({ accountId, coachId }: Tenant, count: number): Promise<Thing[]> {
  const answer = { accountId, coachId, content: "Said", status: "complete", user_id: "somebody" };
  const turns = await storeAnswers(Array(count).fill(answer));
  const owned = { account_id: accountId, coach_id: coachId };
  const { data: questions } = await operator.from("open_questions")
    .insert(turns.map(({ messageId }) => ({ ...owned, question: `When is lunch, ${messageId}?` }))).select("id")
    .throwOnError();
  const { data: answers } = await operator.from("pinned_answers")
    .insert(
      turns.map(({ messageId }) => ({ ...owned, question: `When is dinner, ${messageId}?`, answer: "At eight." })),
    )
    .select("id").throwOnError();
  return turns.map(({ threadId, messageId }, index) => ({
    ...nothing,
    ...{ coachId, threadId, messageId, questionId: questions[index]!.id, answerId: answers[index]!.id },
    passageId: inventPassageId(),
  }));
}
