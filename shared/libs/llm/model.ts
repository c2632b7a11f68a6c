import type { ModelEvent, Phase, ReportedFailure, Usage } from "./model_event.ts";
import type { ModelServer, ModelSettings } from "./model_settings.ts";
import type { Log } from "../base/log.ts";
import { FailedReply, failWith } from "./failure.ts";
import { createInputBudget } from "./fit_request.ts";
import type { ModelApi } from "./model_api.ts";
import type { ModelCatalogue } from "./model_catalogue.ts";
import { ModelError } from "./model_error.ts";
import type { ModelRequest } from "./model_request.ts";
import { createClientLoader, createPostRequest, MissingApiKey } from "./openai_client.ts";
import { noQuirks, type Quirks } from "./quirks.ts";
import { type OpenReply, openReply } from "./read_reply.ts";
import {
  askAgainAfterSlip,
  type Attempt,
  type FailedAttempt,
  fallBackToChatCompletions,
  leaveOutRefused,
  recover,
  retryWhatMayPass,
  shortenInput,
} from "./recovery.ts";
import { responsesApi } from "./responses_api.ts";
import { estimateTokens } from "./estimate_tokens.ts";
import { fieldsOf } from "../base/fields_of.ts";
import { abortable } from "../base/std/async.ts";
import { createAnswerText } from "./answer_text.ts";
import { createCallFinder } from "./written_calls.ts";

/** A language model, behind any server that speaks the Responses API or chat completions. */
export interface Model extends KeptResponses {
  /**
   * Streams a reply: for every network read, its events. Ends after an `ended` event. What the server refuses is left
   * out, as is history that is too long for it. What fails for a reason that may pass is sent again, as long as nothing
   * has come. A reply that is far longer than `maxOutputTokens` ends there.
   *
   * @throws {ModelError} when the model fails or breaks off; the reason of the signal when that aborts.
   */
  stream(request: ModelRequest, signal: AbortSignal, log: Log): AsyncIterable<ModelEvent[]>;
  /** The model that is asked where a request names none. */
  readonly usualName: string;
  /** The longest reply where the request does not limit it, in tokens; null: any. */
  readonly usualOutputTokens: number | null;
  /** The most characters of a conversation that are worth sending. */
  readonly maxCharacters: number;
}

/**
 * A model of OpenAI, or of another server. What is asked does not go through the official client: it builds
 * every event in full, and its retries wait for as long as a server says, and ask again where the
 * account has no credit left.
 */
export function createModel(env: ModelServer, catalogue: ModelCatalogue): Model {
  const postRequest = createPostRequest(env);
  const budget = createInputBudget(env, catalogue);
  /** The forms in which models of this server have answered. */
  const knownQuirks = new Map<string, Quirks>();
  /** The API by which the server has answered. */
  let knownApi: ModelApi | undefined;

  async function* stream(request: ModelRequest, signal: AbortSignal, log: Log): AsyncGenerator<ModelEvent[]> {
    const model = request.model ?? env.model;
    const settings = withDefaults(request, env.settings);
    const policies = [
      fallBackToChatCompletions(() => knownApi),
      askAgainAfterSlip(log),
      leaveOutRefused(log),
      shortenInput(budget, log),
      retryWhatMayPass(signal, request.maxTries),
    ];
    let attempt: Attempt | null = {
      api: knownApi ?? responsesApi,
      model,
      quirks: knownQuirks.get(model) ?? noQuirks,
      request: await budget.fit({ ...request, settings }, model, signal),
    };
    while (true) {
      const failed: FailedAttempt | null = yield* send(attempt, signal);
      if (failed === null) return;
      const next = await recover(policies, failed);
      attempt = next && await requireRetry(next, failed, request.mayRetry);
      if (attempt === null) throw new ModelError(failed.failure, request, env.apiKey);
    }
  }

  /**
   * Sends a request, and streams its reply. Returns how it has failed, if another attempt may be made.
   *
   * @throws {ModelError} where the model has begun to answer; the reason of the signal when that aborts.
   */
  async function* send(attempt: Attempt, signal: AbortSignal): AsyncGenerator<ModelEvent[], FailedAttempt | null> {
    const { api, model, quirks } = attempt;
    let isSilent = true;
    let isAnswering = false;
    let reply: OpenReply | undefined;
    const isTooLong = createReplyLimit(attempt.request);
    const findCalls = createCallFinder(attempt.request.tools);
    try {
      if (quirks.leftOut.has("stream")) yield [{ type: "unstreamed" }];
      const response = await postRequest(api.path, api.writeBody(attempt), signal);
      reply = openReply(api, model, response, signal);
      while (true) {
        const events = findCalls(await reply.read());
        const last = events.at(-1);
        if (last === undefined) continue;
        isSilent &&= events[0]?.type === "failed";
        if (!isAnswering && events.some(isAnswer)) {
          isAnswering = true;
          knownApi = api;
          knownQuirks.set(model, quirks);
        }
        if (last.type !== "failed") yield events;
        else if (events.length > 1) yield events.slice(0, -1);
        if (last.type === "ended") return null;
        if (last.type === "failed") throw new FailedReply(last.failure);
        if (isTooLong(events)) {
          yield [{ type: "ended", usage: null, isCut: true }];
          return null;
        }
      }
    } catch (error) {
      signal.throwIfAborted();
      const failure = toFailure(error);
      if (failure === null) throw error;
      if (isAnswering) throw new ModelError(failure, attempt.request, env.apiKey);
      return { attempt, failure, isSilent };
    } finally {
      reply?.close();
    }
  }

  return {
    stream,
    usualName: env.model,
    usualOutputTokens: env.settings.maxOutputTokens,
    maxCharacters: budget.maxCharacters,

    ...createKeptResponses(env),
  };
}

/** The next attempt, with the longest reply that it may have; null if it may not be made. */
async function requireRetry(
  next: Attempt,
  { failure: { status } }: FailedAttempt,
  mayRetry: ModelRequest["mayRetry"],
): Promise<Attempt | null> {
  // Nobody pays for a request that the server has refused.
  const isRefused = status !== null && status >= 400 && status < 500;
  if (mayRetry === undefined || isRefused) return next;
  const { request } = next;
  const allowed = await mayRetry(request);
  if (allowed === null) return null;
  const { maxOutputTokens } = request.settings;
  const limits = [maxOutputTokens, allowed.outputTokens].filter((limit) => limit !== null);
  const limit = limits.length === 0 ? null : Math.min(...limits);
  return { ...next, request: { ...request, settings: { ...request.settings, maxOutputTokens: limit } } };
}

function toFailure(error: unknown): ReportedFailure | null {
  if (error instanceof FailedReply) return error.failure;
  return error instanceof MissingApiKey ? failWith(error.code) : null;
}

function isAnswer({ type }: ModelEvent): boolean {
  return type === "text" || type === "call" || type === "ended";
}

function withDefaults({ settings, maxOutputTokens }: ModelRequest, defaults: ModelSettings): ModelSettings {
  const limit = settings.maxOutputTokens ?? defaults.maxOutputTokens;
  return {
    temperature: settings.temperature ?? defaults.temperature,
    reasoningEffort: settings.reasoningEffort ?? defaults.reasoningEffort,
    verbosity: settings.verbosity ?? defaults.verbosity,
    maxOutputTokens: maxOutputTokens === undefined ? limit : Math.min(maxOutputTokens, limit ?? Infinity),
    store: settings.store ?? defaults.store,
  };
}

/** No server that keeps to the limit is cut off, however much the estimate is above its own count. */
const tolerance = 1.5;
/** A reply is looked at whenever so much more of it has come, in UTF-16 units. */
const step = 1_000;

/**
 * Watches a reply whose length somebody pays for: some servers take no limit, or do not keep to it. Returns true for the
 * events by which the reply is far longer than the request allows.
 */
function createReplyLimit({ maxOutputTokens, settings }: ModelRequest): (events: ModelEvent[]) => boolean {
  if (maxOutputTokens === undefined) return () => false;
  const most = tolerance * Math.min(maxOutputTokens, settings.maxOutputTokens ?? Infinity);
  let tokens = 0;
  let written = "";
  return (events) => {
    for (const event of events) if (event.type === "text" || event.type === "thought") written += event.text;
    if (written.length < step) return false;
    tokens += estimateTokens(written);
    written = "";
    return tokens > most;
  };
}

/** A response as the backend keeps it. */
type KeptResponse = { text: string; phase: Phase | null; isComplete: boolean; usage: Usage | null };

/** The responses that the model's server keeps. */
interface KeptResponses {
  /** Fetches a kept response: `running` while it is not final, `gone` when the backend does not have it. */
  retrieve(responseId: string, signal: AbortSignal): Promise<KeptResponse | "running" | "gone">;
  /** Deletes a kept response. One that the backend does not have, or cannot delete, counts as deleted. */
  remove(responseId: string, signal: AbortSignal): Promise<void>;
}

/** Reaches kept responses by the official client. */
function createKeptResponses(env: ModelServer): KeptResponses {
  const loadClient = createClientLoader(env);
  return {
    async retrieve(responseId, signal) {
      const { responses } = await loadClient();
      try {
        const response = await abortable(responses.retrieve(responseId, {}, { signal, maxRetries: 0 }), signal);
        if (response.status === "queued" || response.status === "in_progress") return "running";
        return readKept(fieldsOf(response));
      } catch (error) {
        if (statusOf(error) === 404) return "gone";
        throw error;
      }
    },

    async remove(responseId, signal) {
      const { responses } = await loadClient();
      try {
        await abortable(responses.delete(responseId, { signal, maxRetries: 0 }), signal);
      } catch (error) {
        // Not every server of this API keeps responses, or can delete them.
        if (![404, 405, 501].includes(statusOf(error))) throw error;
      }
    },
  };
}

function readKept(response: Record<string, unknown>): KeptResponse {
  const answer = createAnswerText();
  const kept: KeptResponse = { text: "", phase: null, isComplete: false, usage: null };
  const reader = responsesApi.createReader((event) => {
    kept.text += answer.read(event);
    if (event.type !== "ended") return;
    kept.isComplete = true;
    kept.usage = event.usage;
  }, String(response.model ?? ""));
  reader.readWhole(response);
  kept.text += answer.end();
  return { ...kept, phase: answer.phase };
}

function statusOf(error: unknown): number {
  return Number(fieldsOf(error).status);
}
