import * as z from "zod/mini";
import { waitsForBudget } from "../../core/budgets/allowance.ts";
import { openWorkModels, type WorkModels, type WorkServices } from "../../core/budgets/work_models.ts";
import type { CoreServices } from "../../core/core_services.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import type { Embedding } from "../../libs/llm/embedder.ts";
import { describeError, type Log } from "../../libs/base/log.ts";
import { withQuestions } from "../../core/questions/read_questions.ts";
import { askModel } from "./ask_model.ts";
import { tidySentence } from "./keep_question.ts";
import { buildSamenessPrompt, buildWordingPrompt, readSameness, readWording } from "./prompts.ts";

/** The dependencies of sorting questions. */
export type SortingServices =
  & Pick<CoreServices, "database" | "timeouts">
  & Omit<WorkServices, "media">;

/** The same, with the models of the coach whose question it is. */
type QuestionServices = Pick<CoreServices, "database" | "timeouts"> & { model: WorkModels };

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
type ClaimedQuestion = z.infer<typeof ClaimedQuestion>;

/** The limits of a sweep. */
export type SortingOptions = { mayGoOn: () => boolean; signal: AbortSignal; log: Log };

/** The maximum number of questions processed in one sweep: each may take four calls of a model. */
const mostQuestions = 5;

/**
 * Processes due questions one after the other: words those that only refer to a message, and merges those that a model
 * considers the same. If the model or the backend fails, the question is retried later, and the next one is processed.
 *
 * @returns whether there may be more
 */
export async function sortQuestions(services: SortingServices, options: SortingOptions): Promise<boolean> {
  const { database } = services;
  const { mayGoOn, log } = options;
  let looked = 0;
  let failed = 0;
  do {
    const question = await database.call("take_question", {}, z.nullable(ClaimedQuestion));
    if (question === null) return false;
    const ofCoach = { ...services, model: openWorkModels(services, question.coachId) };
    try {
      const sentence = await findSentence(ofCoach, question, options);
      if (sentence !== null) {
        const sameId = await findSame(ofCoach, question, sentence, options);
        await database.call("end_question", { ...claimOf(question), same_id: sameId }, z.null());
      }
    } catch (error) {
      log("warn", "question_postponed", { question_id: question.id, reason: describeError(error) });
      const args = { ...claimOf(question), waits_for_budget: waitsForBudget(error) };
      await database.call("postpone_question", args, z.null());
      // The next one may be of another coach, with another model.
      failed++;
    }
    looked++;
  } while (looked < mostQuestions && mayGoOn());
  // If all have failed, another sweep would fail, too.
  return failed < looked;
}

function claimOf({ id, claim }: ClaimedQuestion) {
  return { question_id: id, claim };
}

/** Its sentence; null if nothing is left to do with the question. */
async function findSentence(
  services: QuestionServices,
  question: ClaimedQuestion,
  options: SortingOptions,
): Promise<string | null> {
  if (question.question !== null) return question.question;
  const prompt = buildWordingPrompt(question.exchange ?? []);
  const sentence = readWording(await askModel(services, question.model, prompt, options));
  if (sentence === undefined) throw new TypeError("The model's reply is not one sentence");
  const tidy = sentence && tidySentence(sentence);
  const isDue = await withQuestions(
    { coachId: question.coachId },
    tidy ? [tidy] : [],
    ([asked]) =>
      services.database.call("word_question", { ...claimOf(question), sentence: asked ?? null }, z.boolean()),
  );
  return isDue ? tidy : null;
}

const NearQuestions = z.array(z.object({ id: z.string(), question: z.string() }));

/** The question that is the same as this one; null for none. */
async function findSame(
  services: QuestionServices,
  question: ClaimedQuestion,
  sentence: string,
  options: SortingOptions,
): Promise<string | null> {
  const embedding = await embed(services, sentence, options);
  // Keeps the embedding, by which later questions find this one.
  const args = { ...claimOf(question), query_vector: embedding && JSON.stringify(embedding) };
  for (const near of await services.database.call("find_near_questions", args, NearQuestions)) {
    const reply = await askModel(services, question.model, buildSamenessPrompt(near.question, sentence), options);
    if (readSameness(reply)) return near.id;
  }
  return null;
}

/** Null if no embedding model is configured, or it fails: similar questions are then found by their words only. */
async function embed(
  { model, timeouts }: QuestionServices,
  sentence: string,
  { signal, log }: SortingOptions,
): Promise<Embedding | null> {
  if (model.embed === null) return null;
  try {
    const [embedding] = await model.embed(
      [sentence],
      AbortSignal.any([signal, AbortSignal.timeout(timeouts.embedQuestion)]),
    );
    return embedding!;
  } catch (error) {
    if (waitsForBudget(error)) throw error;
    log("warn", "question_not_embedded", { reason: describeError(error) });
    return null;
  }
}
