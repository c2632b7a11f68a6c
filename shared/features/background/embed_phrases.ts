import * as z from "zod/mini";
import { waitsForBudget } from "../../core/budgets/allowance.ts";
import { openWorkModels } from "../../core/budgets/work_models.ts";
import type { NormalQuestion } from "../../core/questions/normal_question.ts";
import { readQuestion } from "../../core/questions/read_questions.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import type { Embedding } from "../../libs/llm/embedder.ts";
import { describeError } from "../../libs/base/log.ts";
import type { SweepOptions } from "./index_file.ts";
import type { SweepServices } from "./meter_services.ts";

/** A question or variant of a pinned answer that is due: to be read and, unless it is embedded, its embedding. */
export const Phrase = replyObject({
  id: z.number(),
  coach_id: z.string(),
  content: z.string(),
  language: z.string(),
  is_embedded: z.boolean(),
});
type Phrase = z.infer<typeof Phrase>;

/** The next phrases, and whether more are due. */
const SavedPhrases = replyObject({ phrases: z.array(Phrase), has_more: z.boolean() });

type SavedPhrase = { id: number; form: NormalQuestion; embedding?: Embedding; is_done: boolean };

/**
 * Stores how the questions of pinned answers are compared, where they are written by hand or in a language that was
 * another, and their embeddings. Without an embedding model, stores that there are none. Returns true if more are due than
 * there was time for. If the model fails, or a budget does not allow it, they are due again later.
 */
export async function embedPhrases(
  services: SweepServices,
  phrases: Phrase[],
  { mayGoOn, signal, log }: Pick<SweepOptions, "mayGoOn" | "signal" | "log">,
): Promise<boolean> {
  let [due, hasMore] = [phrases, false];
  while (due.length > 0) {
    const saved = new Map<number, SavedPhrase>();
    for (const { id, content, language, isEmbedded } of due) {
      saved.set(id, { id, form: await readQuestion(content, language), is_done: isEmbedded });
    }
    const missing = due.filter(({ isEmbedded }) => !isEmbedded);
    let hasFailed = false;
    // With budgets, each coach pays for its own.
    for (const part of Map.groupBy(missing, ({ coachId }) => services.isBudgeted ? coachId : "").values()) {
      try {
        for (const { id, embedding } of await embedPart(services, part, signal)) {
          saved.set(id, { ...saved.get(id)!, embedding, is_done: true });
        }
      } catch (error) {
        log("warn", "phrases_not_embedded", { phrases: part.length, reason: describeError(error) });
        hasFailed ||= !waitsForBudget(error);
      }
    }
    // What could not be embedded is due again; how it is compared is stored all the same.
    const args = { phrases: [...saved.values()], takes_next: !hasFailed && mayGoOn() };
    ({ phrases: due, hasMore } = await services.database.call("save_phrases", args, SavedPhrases));
    if (hasFailed) return false;
  }
  return hasMore;
}

/** Embeds phrases of one coach or, without budgets, of several. */
async function embedPart(
  services: SweepServices,
  phrases: Phrase[],
  signal: AbortSignal,
): Promise<{ id: number; embedding?: Embedding }[]> {
  const { embed } = openWorkModels(services, phrases[0]!.coachId);
  if (embed === null) return phrases.map(({ id }) => ({ id }));
  const giveUp = AbortSignal.any([signal, AbortSignal.timeout(services.timeouts.embedPassages)]);
  const embeddings = await embed(phrases.map(({ content }) => content), giveUp);
  return phrases.map(({ id }, index) => ({ id, embedding: embeddings[index]! }));
}
