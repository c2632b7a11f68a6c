import type { RequestContext } from "../context.ts";
import type { Embedding } from "../llm/embedder.ts";
import { describeError } from "../log.ts";

/**
 * The embedding of a question or search, as JSON, as the SQL functions take it in `query_vector`. Null when no model for
 * it is configured, or the model has not answered within 2 s: the search then uses words alone.
 *
 * @throws as `Admission.require` does: a model costs money, and is only asked for those who are admitted.
 */
export async function embedQuery(
  { services: { embedder, timeouts }, admission, log }: RequestContext,
  text: string,
): Promise<string | null> {
  if (embedder === null || text.trim() === "") return null;
  await admission.require();
  try {
    const [vector] = await embedder.embed([text], AbortSignal.timeout(timeouts.embedQuery));
    return JSON.stringify({ model: embedder.model, vector: vector! } satisfies Embedding);
  } catch (error) {
    log("warn", "query_not_embedded", { reason: describeError(error) });
    return null;
  }
}
