import { ApiError } from "../../infra/errors.ts";
import { mostTokens } from "../../core/budgets/allowance.ts";
import { embedReserved } from "../../core/budgets/budgeted_models.ts";
import { type CallSubject, embeddingPlan, reserveCall } from "../../core/budgets/store.ts";
import type { RequestContext } from "../../core/context.ts";
import type { CoreServices } from "../../core/core_services.ts";
import { maxEmbedded } from "../../libs/llm/embedder.ts";
import { describeError, type Log } from "../../libs/base/log.ts";

/**
 * Returns the embedding of a caller's question or search, as `embedText` does; null if a budget does not allow it.
 *
 * @throws as `AccountDatabase.admit` does: a model costs money, so it is only called for admitted callers.
 */
export async function embedQuery(ctx: RequestContext, text: string, subject: CallSubject): Promise<string | null> {
  const { embedder } = ctx.services;
  if (embedder === null || text.trim() === "") return null;
  // The call that reserves the embedding admits the request. If it is admitted, it is known if there are budgets.
  const isReserved = ctx.admission.key?.isBudgeted === false || await reserve(ctx, embedder.model, text, subject);
  return isReserved ? await embedText(ctx, text) : null;
}

async function reserve(ctx: RequestContext, model: string, text: string, subject: CallSubject): Promise<boolean> {
  try {
    await reserveCall(ctx.database, subject, { runId: null, plan: embeddingPlan(model, mostTokens(text)) });
    return true;
  } catch (error) {
    // What follows finds the same out, and more: a pinned answer is given all the same.
    if (!(error instanceof ApiError) || !refusals.includes(error.code)) throw error;
    ctx.log("info", "query_not_embedded", { reason: error.code });
    return false;
  }
}

const refusals: string[] = ["budget_exhausted", "price_unknown", "coach_not_found"];

/**
 * The embedding of a question whose budget is reserved, as JSON, as the SQL functions take it in `query_vector`. Null
 * when no model for it is configured, or the model has not answered within 2 s: the search then uses words alone. Never
 * rejects.
 */
export async function embedText(
  { services: { embedder, timeouts }, log }: { services: Pick<CoreServices, "embedder" | "timeouts">; log: Log },
  text: string,
): Promise<string | null> {
  if (embedder === null || text.trim() === "") return null;
  try {
    const [embedding] = await embedReserved(embedder, [putEndFirst(text)], AbortSignal.timeout(timeouts.embedQuery));
    return JSON.stringify(embedding!);
  } catch (error) {
    log("warn", "query_not_embedded", { reason: describeError(error) });
    return null;
  }
}

/** A text of which only the beginning is embedded, with its last paragraph first: that is where people ask. */
export function putEndFirst(text: string): string {
  if (text.length <= maxEmbedded) return text;
  const paragraphs = text.trim().split(/\n[^\S\n]*\n/);
  return [paragraphs.pop()!, ...paragraphs].join("\n\n");
}
