import type { RequestContext } from "../context.ts";
import type { Embedding } from "../llm/embedder.ts";
import { describeError } from "../log.ts";

/**
 * The embedding of what somebody asks, as JSON, the way the SQL functions take it as `query_vector`. Null when no model
 * for it is configured, or it has not answered within 2 s: the search goes by words alone then. Never rejects.
 */
export async function embedQuery(
  { services: { embedder, timeouts }, log }: Pick<RequestContext, "services" | "log">,
  text: string,
): Promise<string | null> {
  if (embedder === null || text.trim() === "") return null;
  try {
    const [vector] = await embedder.embed([text], AbortSignal.timeout(timeouts.embedQuery));
    return JSON.stringify({ model: embedder.model, vector: vector! } satisfies Embedding);
  } catch (error) {
    log("warn", "query_not_embedded", { reason: describeError(error) });
    return null;
  }
}
