import * as z from "zod/mini";
import { type AccountDatabase, callRepeatable } from "../../infra/db/account_database.ts";
import type { Database } from "../../infra/db/database.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import type { Embedding } from "../../infra/llm/embedder.ts";
import { AnsweredQuestion, DismissedQuestions, OpenQuestion } from "./replies.ts";
import type { QuestionPage, QuestionStatus } from "./schemas.ts";

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

/**
 * Keeps a question for the expert, and returns its ID; null if the answer is no longer this run's, or it or its person
 * asks too many.
 */
export async function keepQuestion(
  database: Database,
  { messageId, runId, question, isForHuman }: UnansweredQuestion,
): Promise<string | null> {
  return await database.call("keep_question", {
    message_id: messageId,
    run_id: runId,
    // A model may write characters that Postgres cannot store.
    question: question && question.replaceAll("\0", " ").toWellFormed(),
    is_for_human: isForHuman,
  }, z.nullable(z.string()));
}

/** The JSON of a reply, as Postgres built it. */
type Json = Uint8Array<ArrayBuffer>;

/** The coach of the questions, and the caller. */
export type CoachAccess = {
  coachId: string;
  /** Null: the key acts alone. */
  userId: string | null;
};

/** The questions of a coach, most asked first, in the JSON of the API. */
export async function listQuestions(
  database: AccountDatabase,
  { coachId, userId }: CoachAccess,
  { status, offTopic, hasAskings, pageSize, after }:
    & { status: QuestionStatus; offTopic: boolean | null; hasAskings: boolean }
    & QuestionPage,
): Promise<Json> {
  return await database.callForBytes("list_questions", {
    coach_id: coachId,
    user_id: userId,
    status,
    off_topic: offTopic,
    has_askings: hasAskings,
    page_size: pageSize,
    after_people: after?.people ?? null,
    after_asked: after?.asked ?? null,
    after_id: after?.id ?? null,
    after_requested: after?.isRequested ?? true,
  });
}

/** A question, and the caller. */
export type QuestionAccess = CoachAccess & { questionId: string };

/** Dismisses a question, or opens it again. */
export async function decideQuestion(
  database: AccountDatabase,
  { coachId, userId, questionId }: QuestionAccess,
  status: "open" | "dismissed",
): Promise<OpenQuestion> {
  const args = { coach_id: coachId, user_id: userId, question_id: questionId, status };
  return await callRepeatable(database, "decide_question", args, OpenQuestion);
}

/** Dismisses the questions that only the person of a thread has asked, there or in all threads with the coach. */
export async function dismissQuestions(
  database: AccountDatabase,
  { coachId, userId }: CoachAccess,
  { threadId, ofPerson }: { threadId: string; ofPerson: boolean },
): Promise<DismissedQuestions> {
  const args = { coach_id: coachId, user_id: userId, thread_id: threadId, of_person: ofPerson };
  return await callRepeatable(database, "dismiss_questions", args, DismissedQuestions);
}

/** The expert's answer. */
export type ExpertAnswer = {
  answer: string;
  /** Null: that of the open question is used. */
  question: string | null;
  variants: string[];
  /** True to put the answer into the threads of those who have asked. */
  notify: boolean;
  /** Askings that a model has merged and that get the answer, too. */
  askings: string[];
  requestId: string;
};

const SentAnswer = z.object({
  ...AnsweredQuestion.shape,
  /** True if there are more threads to put the answer into; see {@link sendAnswer}. */
  is_more: z.boolean(),
});
type SentAnswer = z.infer<typeof SentAnswer>;

/** Pins an answer to a question, and puts it into the first thousand threads of those who have asked. */
export async function answerQuestion(
  database: AccountDatabase,
  { coachId, userId, questionId }: QuestionAccess,
  { answer, question, variants, notify, askings, requestId }: ExpertAnswer,
): Promise<SentAnswer> {
  return await callRepeatable(database, "answer_question", {
    coach_id: coachId,
    user_id: userId,
    question_id: questionId,
    answer,
    question,
    variants,
    notify,
    askings,
    request_id: requestId,
  }, SentAnswer);
}

/** Puts the answer to a question into the next thousand threads. */
export async function sendAnswer(
  database: AccountDatabase,
  { coachId, userId, questionId }: QuestionAccess,
  { askings, requestId }: Pick<ExpertAnswer, "askings" | "requestId">,
): Promise<SentAnswer> {
  return await callRepeatable(database, "send_answer", {
    coach_id: coachId,
    user_id: userId,
    question_id: questionId,
    askings,
    request_id: requestId,
  }, SentAnswer);
}

const ClaimedQuestion = replyObject({
  id: z.string(),
  claim: z.string(),
  coach_id: z.string(),
  /** The coach's model; null: the deployment's. */
  model: z.nullable(z.string()),
  question: z.nullable(z.string()),
  /** The last messages before an answer, and the answer; null if there is a sentence. */
  exchange: z.nullable(z.array(z.object({ role: z.enum(["user", "assistant", "system"]), content: z.string() }))),
});
/** A question that this worker has claimed. */
export type ClaimedQuestion = z.infer<typeof ClaimedQuestion>;

const Nothing = z.null();

/** Claims the next question to process; null if none is due. */
export async function takeQuestion(database: Database): Promise<ClaimedQuestion | null> {
  return await database.call("take_question", {}, z.nullable(ClaimedQuestion));
}

/** Stores the sentence of a question, null for none. Returns true if there is more to do with it. */
export async function wordQuestion(
  database: Database,
  { id, claim }: ClaimedQuestion,
  sentence: string | null,
): Promise<boolean> {
  return await database.call("word_question", { question_id: id, claim, sentence }, z.boolean());
}

const NearQuestions = z.array(z.object({ id: z.string(), question: z.string() }));

/** Questions that may be the same, best first. Keeps the embedding, by which later ones find this one. */
export async function findNearQuestions(
  database: Database,
  { id, claim }: ClaimedQuestion,
  embedding: Embedding | null,
): Promise<z.infer<typeof NearQuestions>> {
  const queryVector = embedding && JSON.stringify(embedding);
  return await database.call(
    "find_near_questions",
    { question_id: id, claim, query_vector: queryVector },
    NearQuestions,
  );
}

/** Ends the work on a question, and makes it one with another that is the same. */
export async function endQuestion(
  database: Database,
  { id, claim }: ClaimedQuestion,
  sameId: string | null,
): Promise<void> {
  await database.call("end_question", { question_id: id, claim, same_id: sameId }, Nothing);
}

/** Gives a question back, to be tried again later; with `waitsForBudget`, this was no attempt. */
export async function postponeQuestion(
  database: Database,
  { id, claim }: ClaimedQuestion,
  waitsForBudget: boolean,
): Promise<void> {
  await database.call("postpone_question", { question_id: id, claim, waits_for_budget: waitsForBudget }, Nothing);
}
