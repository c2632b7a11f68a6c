import { lowest } from "../../../core/budgets/allowance.ts";
import type { CoreServices } from "../../../core/core_services.ts";
import { countFixedTokens, type FixedTokens } from "../prompt/build_request.ts";
import type { ClientConversation } from "../question.ts";

/** The facts about the call of the model that only the caller knows, for budgets. */
export type TurnPlan = FixedTokens & {
  /** The model of coaches that name none. */
  usualModel: string;
  /** The longest reply that the deployment or the request allow, in tokens; null: any. */
  outputMost: number | null;
  /** The model that embeds the question; null if none is configured. */
  embeddingModel: string | null;
  /** True if the embedding has counted on the budgets already. */
  isEmbeddingCounted: boolean;
};

/**
 * Returns the facts about a turn that budgets need and Postgres does not know. Apart from `beginTurn`: the indexer needs no
 * more of a turn than this, and its bundle has no room for the rest.
 */
export async function planTurn(
  { embedder, loadModels }: Pick<CoreServices, "embedder" | "loadModels">,
  conversation: ClientConversation | null,
  { mayStoreNotes }: { mayStoreNotes: boolean },
): Promise<TurnPlan> {
  const { model } = await loadModels();
  return {
    usualModel: model.usualName,
    outputMost: lowest(model.usualOutputTokens, conversation?.maxOutputTokens),
    ...countFixedTokens(conversation?.application ?? null, mayStoreNotes),
    embeddingModel: embedder?.model ?? null,
    isEmbeddingCounted: false,
  };
}

/** The same as the SQL functions take it. */
export function planColumns(plan: TurnPlan) {
  const { usualModel, outputMost, inputTokens, quotedTokens, embeddingModel, isEmbeddingCounted } = plan;
  return {
    model: usualModel,
    input_tokens: inputTokens,
    quoted_tokens: quotedTokens,
    output_most: outputMost ?? undefined,
    embedding_model: embeddingModel ?? undefined,
    // Left out, Postgres estimates it from the question.
    embedding_tokens: isEmbeddingCounted ? 0 : undefined,
  };
}
