import type { ModelRequest, SaidMessage } from "./model_request.ts";
import { abortable } from "../base/std/async.ts";
import type { ModelServer } from "./model_settings.ts";
import type { ListedModel, ModelCatalogue } from "./model_catalogue.ts";

/** The characters of a request that fit into a context: three to a token, and a quarter left for the answer. */
function charactersOf(contextTokens: number): number {
  return Math.floor(contextTokens * 0.75 * 3);
}

/** The characters of everything that the model reads, in UTF-16 units. Images do not count. */
export function sizeOf({ instructions, history, quoted, input, tools = [] }: ModelRequest): number {
  let size = instructions.length;
  for (const items of [history, quoted, input]) for (const item of items) size += sizeOfItem(item);
  for (const tool of tools) size += JSON.stringify(tool).length;
  return size;
}

function sizeOfItem(item: ModelRequest["input"][number]): number {
  if ("output" in item) return item.output.length;
  if ("arguments" in item) return item.arguments.length + (item.kept?.reasoning_content?.length ?? 0);
  return typeof item.content === "string" ? item.content.length : 0;
}

/** The request with as much of its history as fits into a number of characters. Everything else stays. */
export function fitRequest(request: ModelRequest, characters: number): ModelRequest {
  const size = sizeOf(request);
  if (size <= characters) return request;
  const rest = size - sizeOfHistory(request.history);
  return { ...request, history: fitHistory(request.history, characters - rest) };
}

/** Shortens a request that is too long: to half its history, to none, and so on down to the input; then null. */
export function shortenRequest(request: ModelRequest, isHalved: boolean): ModelRequest | null {
  const { history, quoted } = request;
  if (history.length > 0 && !isHalved) {
    return { ...request, history: fitHistory(history, Math.floor(sizeOfHistory(history) / 2)) };
  }
  return history.length > 0 || quoted.length > 0 ? { ...request, history: [], quoted: quoted.slice(0, -1) } : null;
}

/** The newest messages, beginning with a question, that together fit into a number of characters. */
function fitHistory(history: SaidMessage[], characters: number): SaidMessage[] {
  let left = characters;
  let from = history.length;
  while (from > 0) {
    left -= history[from - 1]!.content.length;
    if (left < 0) break;
    from--;
  }
  // Of an exchange whose question does not fit, the answer means little.
  while (history[from]?.role === "assistant") from++;
  return history.slice(from);
}

function sizeOfHistory(history: SaidMessage[]): number {
  return history.reduce((sum, { content }) => sum + content.length, 0);
}

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
