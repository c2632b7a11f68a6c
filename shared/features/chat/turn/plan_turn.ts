import { lowest } from "../../../core/budgets/allowance.ts";
import type { CoreServices } from "../../../core/core_services.ts";
import { countFixedTokens } from "../prompt/build_request.ts";
import type { ClientConversation } from "../question.ts";
import type { TurnPlan } from "../store.ts";

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
