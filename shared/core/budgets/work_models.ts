import type { Database } from "../../infra/db/database.ts";
import type { Embedder, Embedding } from "../../libs/llm/embedder.ts";
import type { MediaFile, MediaReader, ReadMedia } from "../../libs/llm/media_reader.ts";
import type { Model } from "../../libs/llm/model.ts";
import type { Usage } from "../../libs/llm/model_event.ts";
import { type CountedUsage, createUsageMeter } from "../../libs/llm/usage_meter.ts";
import { mostTokens } from "./allowance.ts";
import { type BudgetedModel, embedReserved, nothingUsed, planOf, settleRun } from "./budgeted_models.ts";
import * as store from "./store.ts";

/** The services that ask models for background work. */
export type WorkServices = {
  database: Database;
  model: Pick<Model, "stream" | "usualName" | "usualOutputTokens">;
  embedder: Embedder | null;
  /** Left out where no files are read. */
  media?: MediaReader;
  /** False if no account has a budget: then nothing is reserved. */
  isBudgeted: boolean;
};

/** The models for the background work of one coach. Every call counts on the budgets of the coach and its account. */
export interface WorkModels extends BudgetedModel {
  /** The embeddings of texts, in their order; null if no model for it is configured. @throws as `Embedder.embed` does. */
  embed: ((texts: string[], signal: AbortSignal) => Promise<Embedding[]>) | null;
  /** As `MediaReader` has them. */
  describeImage: ReadMedia | null;
  transcribe: ReadMedia | null;
}

/** The models for the work of a coach. A call that a budget does not allow fails with 429. */
export function openWorkModels(
  { database, model, embedder, media, isBudgeted }: WorkServices,
  coachId: string,
): WorkModels {
  const reserve = async (runId: string | null, plan: Parameters<typeof store.reserveWork>[2]["plan"]) =>
    isBudgeted ? await store.reserveWork(database, coachId, { runId, plan }) : null;

  /** Reads a file as a run of its own. Where the server reports no tokens, it is settled with an estimate. */
  function within(
    read: ReadMedia | null,
    name: string | null,
    tokensOf: (file: MediaFile) => number,
  ): ReadMedia | null {
    return read && (async (file, signal) => {
      const runId = crypto.randomUUID();
      const plan = store.planColumns({ model: name, inputTokens: tokensOf(file) });
      const reserved = await reserve(runId, plan);
      if (reserved === null) return await read(file, signal);
      let text = "";
      let usage: CountedUsage | null = null;
      const onUsage = (reported: Usage) => void (usage = { ...reported, isEstimated: false });
      try {
        const limits = { maxOutputTokens: reserved.outputTokens ?? undefined, mayRetry };
        return text = await read(file, signal, { ...limits, onUsage });
      } finally {
        await settleRun(database, runId, { usage, text, model: name });
      }
    });
  }

  return {
    async *stream(request, signal, log) {
      const runId = crypto.randomUUID();
      const reserved = await reserve(runId, store.planColumns(planOf(request, model)));
      if (reserved === null) return yield* model.stream(request, signal, log);
      const limited = { ...request, maxOutputTokens: reserved.outputTokens ?? request.maxOutputTokens, mayRetry };
      const meter = createUsageMeter();
      meter.begin(limited);
      try {
        for await (const events of model.stream(limited, signal, log)) {
          meter.read(events);
          yield events;
        }
      } catch (error) {
        if (!signal.aborted) meter.fail();
        throw error;
      } finally {
        const usage = meter.total() ?? nothingUsed;
        await settleRun(database, runId, { usage, model: request.model ?? model.usualName });
      }
    },
    embed: embedder
      ? async (texts, signal) => {
        const tokens = texts.reduce((sum, text) => sum + mostTokens(text), 0);
        await reserve(null, store.embeddingPlan(embedder.model, tokens));
        return await embedReserved(embedder, texts, signal);
      }
      : null,
    describeImage: within(media?.describeImage ?? null, media?.imageModel ?? null, () => tokensOfImage),
    transcribe: within(
      media?.transcribe ?? null,
      media?.transcriptionModel ?? null,
      ({ bytes, contentType }) => Math.ceil(bytes.length / (isPacked(contentType) ? 1_000 : bytesOfAudioToken)),
    ),
  };
}

/** Tokens of an image of usual size and of what is asked about it. */
const tokensOfImage = 2_000;
/** Models hear some ten tokens a second, and a second of video or WAV has about 125 KB; one of other recordings 10 KB. */
const bytesOfAudioToken = 12_500;
const isPacked = (contentType: string) => contentType.startsWith("audio/") && contentType !== "audio/wav";

/** Only one call is reserved. Work that fails is tried again later. */
const mayRetry = () => Promise.resolve(null);
