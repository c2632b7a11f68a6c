import { describeError } from "../../infra/log.ts";
import type { SweepOptions } from "./index_file.ts";
import type { IndexerServices } from "./indexer_services.ts";
import { type Phrase, savePhrases } from "./store.ts";

/**
 * Stores the embeddings of the questions of pinned answers, and of all other phrases that are due. Without an embedding
 * model, stores that there are none. Returns true if more are due than there was time for. If the model fails, they are
 * due again later.
 */
export async function embedPhrases(
  { database, embedder, timeouts }: Pick<IndexerServices, "database" | "embedder" | "timeouts">,
  phrases: Phrase[],
  { mayGoOn, signal, log }: Pick<SweepOptions, "mayGoOn" | "signal" | "log">,
): Promise<boolean> {
  let [due, hasMore] = [phrases, false];
  while (due.length > 0) {
    let vectors: string[] = [];
    try {
      if (embedder !== null) {
        const giveUp = AbortSignal.any([signal, AbortSignal.timeout(timeouts.embedPassages)]);
        vectors = await embedder.embed(due.map(({ content }) => content), giveUp);
      }
    } catch (error) {
      log("warn", "phrases_not_embedded", { phrases: due.length, reason: describeError(error) });
      return false;
    }
    const embedded = due.map(({ id }, index) =>
      embedder === null ? { id } : { id, embedding: { model: embedder.model, vector: vectors[index]! } }
    );
    ({ phrases: due, hasMore } = await savePhrases(database, embedded, mayGoOn()));
  }
  return hasMore;
}
