import type { Database } from "../../infra/db/database.ts";
import type { Embedder, Embedding } from "../../libs/llm/embedder.ts";
import type { ModelEvent } from "../../libs/llm/model_event.ts";
import type { ModelRequest } from "../../libs/llm/model_request.ts";
import type { CountedUsage } from "../../libs/llm/usage_meter.ts";
import type { Log } from "../../libs/base/log.ts";
import type { Model } from "../../libs/llm/model.ts";
import type { RequestContext } from "../context.ts";
import { ApiError } from "../../infra/errors.ts";
import type { CoreServices } from "../core_services.ts";
import { type Allowance, type CallPlan, lowest, mostTokens } from "./allowance.ts";
import * as store from "./store.ts";

/** A language model whose every call counts on budgets. Nothing else may ask a model. */
export interface BudgetedModel {
  /** As `Model.stream`. @throws 429 where a budget does not allow the call. */
  stream(request: ModelRequest, signal: AbortSignal, log: Log): AsyncIterable<ModelEvent[]>;
}

/** A run that is no turn, such as a task of a chat interface. */
export type BudgetedRun = {
  model: BudgetedModel;
  /** Settles the run when it has ended; null: no model was asked. Never rejects. */
  settle: (usage: CountedUsage | null) => Promise<void>;
};

/** Reserves the first call of a run that is no turn. `settle` must follow. @throws 429, 502 without a budget for it. */
export async function openRun(
  { services, admission, database }: RequestContext,
  subject: store.CallSubject,
  request: ModelRequest,
): Promise<BudgetedRun> {
  const { model } = await services.loadModels();
  // Without a verdict yet, the call is the one that admits the request.
  if (admission.key?.isBudgeted === false) return { model, settle: () => Promise.resolve() };
  const runId = crypto.randomUUID();
  const plan = store.planColumns(planOf(request, model));
  const reserved = await store.reserveCall(database, subject, { runId, plan });
  return {
    model: await openModelOfRun(services, reserved && { runId, ...reserved }),
    async settle(usage) {
      if (reserved === null) return;
      await settleRun(services.database, runId, { usage: usage ?? nothingUsed, model: plan.model });
    },
  };
}

/** Settles a run. Never rejects: what cannot be settled now counts as used until the sweep settles it. */
export async function settleRun(database: Database, runId: string, spent: store.Spending): Promise<void> {
  await store.settleWork(database, runId, spent).catch(() => {});
}

/** The usage of a run that has asked no model. */
export const nothingUsed: CountedUsage = {
  freshInput: 0,
  cachedInput: 0,
  visibleOutput: 0,
  reasoning: 0,
  isEstimated: false,
};

/** The services that a run needs to ask its model. */
type RunServices = Pick<CoreServices, "database" | "loadModels">;

/**
 * The model of a run. Its first call is reserved already; each further one, and each repetition of a call that has
 * failed at the server, extends the reservation or is not made.
 *
 * @param allowance null: nothing limits the run.
 */
export async function openModelOfRun(
  { database, loadModels }: RunServices,
  allowance: Allowance | null,
): Promise<BudgetedModel> {
  const { model } = await loadModels();
  if (allowance === null) return model;
  const { runId } = allowance;
  let isFirst = true;

  const extend = (request: ModelRequest) => store.extendReservation(database, runId, planOf(request, model));

  async function mayRetry(request: ModelRequest): Promise<{ outputTokens: number | null } | null> {
    try {
      return await extend(request) ?? { outputTokens: null };
    } catch (error) {
      if (error instanceof ApiError) return null;
      throw error;
    }
  }

  const ask = (request: ModelRequest, outputTokens: number | null | undefined, signal: AbortSignal, log: Log) =>
    model.stream(
      { ...request, maxOutputTokens: lowest(request.maxOutputTokens, outputTokens) ?? undefined, mayRetry },
      signal,
      log,
    );
  async function* askAgain(request: ModelRequest, signal: AbortSignal, log: Log) {
    yield* ask(request, (await extend(request))?.outputTokens, signal, log);
  }

  return {
    stream(request, signal, log) {
      if (!isFirst) return askAgain(request, signal, log);
      isFirst = false;
      return ask(request, allowance.outputTokens, signal, log);
    },
  };
}

/** The most that a request uses. */
export function planOf(
  { model, settings, maxOutputTokens, instructions, history, quoted, input, tools }: ModelRequest,
  { usualName, usualOutputTokens }: Pick<Model, "usualName" | "usualOutputTokens">,
): CallPlan {
  return {
    model: model ?? usualName,
    inputTokens: mostTokens(JSON.stringify([instructions, history, quoted, input, tools])),
    outputLimit: settings.maxOutputTokens,
    outputMost: lowest(maxOutputTokens, usualOutputTokens),
  };
}

/** Embeds texts that are reserved already: by the call that has begun a turn, or by `reserveCall`. */
export async function embedReserved(embedder: Embedder, texts: string[], signal: AbortSignal): Promise<Embedding[]> {
  const vectors = await embedder.embed(texts, signal);
  return vectors.map((vector) => ({ model: embedder.model, vector }));
}
