import * as z from "zod/mini";
import { waitsForBudget } from "../../core/budgets/allowance.ts";
import { openWorkModels } from "../../core/budgets/work_models.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import type { Embedding } from "../../libs/llm/embedder.ts";
import { describeError } from "../../libs/base/log.ts";
import type { SweepOptions } from "./index_file.ts";
import type { SweepServices } from "./meter_services.ts";

/** A question or variant of a pinned answer, whose embedding is due. */
export const Phrase = replyObject({ id: z.number(), coach_id: z.string(), content: z.string() });
type Phrase = z.infer<typeof Phrase>;

/** The next phrases, and whether more are due. */
const SavedPhrases = replyObject({ phrases: z.array(Phrase), has_more: z.boolean() });

type EmbeddedPhrase = { id: number; embedding?: Embedding };

/**
 * Stores the embeddings of the questions of pinned answers, and of all other phrases that are due. Without an embedding
 * model, stores that there are none. Returns true if more are due than there was time for. If the model fails, or a
 * budget does not allow it, they are due again later.
 */
export async function embedPhrases(
  services: SweepServices,
  phrases: Phrase[],
  { mayGoOn, signal, log }: Pick<SweepOptions, "mayGoOn" | "signal" | "log">,
): Promise<boolean> {
  let [due, hasMore] = [phrases, false];
  while (due.length > 0) {
    const embedded: EmbeddedPhrase[] = [];
    // With budgets, each coach pays for its own.
    const parts = services.isBudgeted ? Map.groupBy(due, ({ coachId }) => coachId).values() : [due];
    for (const part of parts) {
      try {
        embedded.push(...await embedPart(services, part, signal));
      } catch (error) {
        log("warn", "phrases_not_embedded", { phrases: part.length, reason: describeError(error) });
        if (!waitsForBudget(error)) return false;
      }
    }
    const args = { phrases: embedded, takes_next: mayGoOn() };
    ({ phrases: due, hasMore } = await services.database.call("save_phrases", args, SavedPhrases));
  }
  return hasMore;
}

/** Embeds phrases of one coach or, without budgets, of several. */
async function embedPart(services: SweepServices, phrases: Phrase[], signal: AbortSignal): Promise<EmbeddedPhrase[]> {
  const { embed } = openWorkModels(services, phrases[0]!.coachId);
  if (embed === null) return phrases.map(({ id }) => ({ id }));
  const giveUp = AbortSignal.any([signal, AbortSignal.timeout(services.timeouts.embedPassages)]);
  const embeddings = await embed(phrases.map(({ content }) => content), giveUp);
  return phrases.map(({ id }, index) => ({ id, embedding: embeddings[index]! }));
}
