import type { Passage } from "../../libs/documents/read_passages.ts";
import type { Embedding } from "../../libs/llm/embedder.ts";
import type { WorkModels } from "../../core/budgets/work_models.ts";
import type { IndexerServices } from "./meter_services.ts";

/** A passage as it is stored. */
export type EmbeddedPassage = Passage & { embedding?: Embedding };

/**
 * Adds embeddings to passages, if an embedding model is configured.
 *
 * @throws 429 if a budget does not allow it; {ModelRequestError} when the model fails, has not answered within 30 s, or the signal aborts.
 */
export async function embedPassages(
  { models, timeouts }: Pick<IndexerServices, "timeouts"> & { models: Pick<WorkModels, "embed"> },
  passages: Passage[],
  signal: AbortSignal,
): Promise<EmbeddedPassage[]> {
  if (models.embed === null || passages.length === 0) return passages;
  const texts = passages.map(({ heading, content }) => heading === null ? content : `${heading}\n\n${content}`);
  const embeddings = await models.embed(
    texts,
    AbortSignal.any([signal, AbortSignal.timeout(timeouts.embedPassages)]),
  );
  return passages.map((passage, index) => ({
    ...passage,
    embedding: embeddings[index]!,
  }));
}
