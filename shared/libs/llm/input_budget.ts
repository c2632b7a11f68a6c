import { abortable } from "../base/std/async.ts";
import type { ModelServer } from "./model_settings.ts";
import { charactersOf, fitRequest, sizeOf } from "./fit_request.ts";
import type { ListedModel, ModelCatalogue } from "./model_catalogue.ts";
import type { ModelRequest } from "./model_request.ts";

/** The most that models can read. */
export interface InputBudget {
  /** The most characters of a conversation that are worth sending. */
  readonly maxCharacters: number;
  /** The request, with so much of its history as the model is known to read. @throws the reason of the signal. */
  fit(request: ModelRequest, model: string, signal: AbortSignal): Promise<ModelRequest>;
  /** Remembers that a request of this length, in characters, was too long for a model. */
  learn(model: string, tooMany: number): void;
}

/** The budget of an unknown model: some 60,000 tokens. */
const usualCharacters = 200_000;
/** So much fits into a context of 4,096 tokens, and hardly any is shorter. */
const harmlessCharacters = charactersOf(4_096);
const listingTimeout = 2_000;

/** Budgets from the environment, the server's list of models, and its refusals. The list is asked for at most once. */
export function createInputBudget(env: ModelServer, catalogue: ModelCatalogue): InputBudget {
  const limits = new Map<string, number>();
  const stated = env.contextTokens === null ? null : charactersOf(env.contextTokens);
  let listing: ReturnType<ModelCatalogue["list"]> | undefined;

  async function listedCharacters(model: string, signal: AbortSignal): Promise<number | null> {
    // OpenAI's own list says nothing of contexts.
    if (env.baseUrl === null) return null;
    listing ??= catalogue.list(AbortSignal.timeout(listingTimeout)).catch(() => null);
    const models: ListedModel[] = await abortable(listing, signal) ?? [];
    // Servers that run one model answer to any name.
    const listed = models.find(({ id }) => id === model) ?? (models.length === 1 ? models[0] : undefined);
    return listed?.contextTokens ? charactersOf(listed.contextTokens) : null;
  }

  return {
    maxCharacters: stated ?? usualCharacters,
    async fit(request, model, signal) {
      const size = sizeOf(request);
      if (size <= harmlessCharacters && !limits.has(model)) return request;
      const known = model === env.model && stated !== null ? stated : await listedCharacters(model, signal);
      return fitRequest(request, Math.min(known ?? stated ?? usualCharacters, limits.get(model) ?? Infinity));
    },
    learn(model, tooMany) {
      limits.set(model, Math.min(Math.floor(tooMany / 2), limits.get(model) ?? Infinity));
    },
  };
}
