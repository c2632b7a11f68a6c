import type { Passage } from "../knowledge/text/read_passages.ts";
import type { Embedding } from "../llm/embedder.ts";
import type { Services } from "../services.ts";
import type { WorkBudget } from "./work_budget.ts";

/** A passage as the SQL function `save_indexing` takes it. */
export type EmbeddedPassage = Passage & { embedding?: Embedding };

/** What it takes to read a vector and to write it again: 0.5 ms where this was measured. */
const millisecondsPerPassage = 1;

/**
 * Adds to passages their embeddings, where a model for them is configured.
 *
 * @throws {ModelRequestError} when the model fails, or has not answered within 30 s.
 */
export async function embedPassages(
  { embedder, timeouts }: Pick<Services, "embedder" | "timeouts">,
  passages: Passage[],
  { budget }: { budget: Pick<WorkBudget, "charge"> },
): Promise<EmbeddedPassage[]> {
  if (embedder === null || passages.length === 0) return passages;
  const texts = passages.map(({ heading, content }) => heading === null ? content : `${heading}\n\n${content}`);
  const vectors = await embedder.embed(texts, AbortSignal.timeout(timeouts.embedPassages));
  budget.charge(passages.length * millisecondsPerPassage);
  return passages.map((passage, index) => ({
    ...passage,
    embedding: { model: embedder.model, vector: vectors[index]! },
  }));
}
