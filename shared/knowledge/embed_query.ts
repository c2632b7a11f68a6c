import type { RequestContext } from "../context.ts";
import type { Embedding } from "../llm/embedder.ts";
import { describeError } from "../log.ts";

/**
 * The embedding of a question or search, as JSON, as the SQL functions take it in `query_vector`. Null when no model for
 * it is configured, or the model has not answered within 2 s: the search then uses words alone.
 *
 * @throws as `AccountDatabase.admit` does: a model costs money, and is only asked for those who may have it asked.
 */
export async function embedQuery(
  { services: { embedder, timeouts }, database, log }: RequestContext,
  text: string,
): Promise<string | null> {
  if (embedder === null || text.trim() === "") return null;
  await database.admit();
  try {
    const [vector] = await embedder.embed([text], AbortSignal.timeout(timeouts.embedQuery));
    return JSON.stringify({ model: embedder.model, vector: vector! } satisfies Embedding);
  } catch (error) {
    log("warn", "query_not_embedded", { reason: describeError(error) });
    return null;
  }
}
