import type { RequestContext } from "../../core/context.ts";
import type { Embedding } from "../../infra/llm/embedder.ts";
import type { CoreServices } from "../../core/core_services.ts";
import { describeError, type Log } from "../../infra/log.ts";

/**
 * Returns the embedding of a caller's question or search, as `embedText` does.
 *
 * @throws as `AccountDatabase.admit` does: a model costs money, so it is only called for admitted callers.
 */
export async function embedQuery(ctx: RequestContext, text: string): Promise<string | null> {
  if (ctx.services.embedder === null || text.trim() === "") return null;
  await ctx.database.admit();
  return await embedText(ctx, text);
}

/**
 * The embedding of a question, as JSON, as the SQL functions take it in `query_vector`. Null when no model for it is
 * configured, or the model has not answered within 2 s: the search then uses words alone. Never rejects.
 */
export async function embedText(
  { services: { embedder, timeouts }, log }: { services: Pick<CoreServices, "embedder" | "timeouts">; log: Log },
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
