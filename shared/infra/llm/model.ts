import { abortable, delay } from "../../base/std/async.ts";
import type { Phase } from "./phase.ts";
import type { OpenaiEnv } from "../env.ts";
import { fieldsOf } from "../../base/fields_of.ts";
import type { Log } from "../log.ts";
import { createAnswerText } from "./answer_text.ts";
import { chatCompletionsApi } from "./chat_completions_api.ts";
import { classify, FailedReply, failWith, isTooLong, isUnknownPath } from "./failure.ts";
import { shortenRequest, sizeOf } from "./fit_request.ts";
import { createInputBudget } from "./input_budget.ts";
import { adapt, type Manner, usualManner } from "./manner.ts";
import type { AskedModel, ModelApi } from "./model_api.ts";
import type { ModelCatalogue } from "./model_catalogue.ts";
import { ModelError } from "./model_error.ts";
import type { ModelEvent, ReportedFailure, Usage } from "./model_event.ts";
import type { ModelRequest } from "./model_request.ts";
import type { ModelSettings } from "../model_settings.ts";
import { createClientLoader, MissingApiKey } from "./openai_client.ts";
import { createPostRequest } from "./post_request.ts";
import { type OpenReply, openReply } from "./read_reply.ts";
import { responsesApi } from "./responses_api.ts";

/** A response as the backend keeps it. */
export type KeptResponse = { text: string; phase: Phase | null; isComplete: boolean; usage: Usage | null };

/** A language model, behind any server that speaks the Responses API or chat completions. */
export interface Model {
  /**
   * Streams a reply: for every network read, its events. Ends after an `ended` event. What the server refuses is left
   * out, as is history that is too long for it. What fails for a reason that may pass is sent again, as long as nothing
   * has come.
   *
   * @throws {ModelError} when the model fails or breaks off; the reason of the signal when that aborts.
   */
  stream(request: ModelRequest, signal: AbortSignal, log: Log): AsyncIterable<ModelEvent[]>;
  /** Fetches a kept response: `running` while it is not final, `gone` when the backend does not have it. */
  retrieve(responseId: string, signal: AbortSignal): Promise<KeptResponse | "running" | "gone">;
  /** Deletes a kept response. One that the backend does not have, or cannot delete, counts as deleted. */
  remove(responseId: string, signal: AbortSignal): Promise<void>;
  /** The model that is asked where a request names none. */
  readonly usualName: string;
  /** The most characters of a conversation that are worth reading from the database. */
  readonly maxCharacters: number;
}

/** How often a request is sent, unless it says otherwise. */
const usualTries = 3;
/** How long a turn waits between the tries, all together, in milliseconds. */
const maxWaiting = 5_000;

/**
 * A model of OpenAI, or of another server. What is asked does not go through the official client: that takes long to build
 * a request, builds every event in full, and its retries wait for as long as a server says, and ask again where the
 * account has no credit left.
 */
export function createModel(env: OpenaiEnv, catalogue: ModelCatalogue): Model {
  const loadClient = createClientLoader(env);
  const postRequest = createPostRequest(env);
  const budget = createInputBudget(env, catalogue);
  /** What the models of this server have refused so far. */
  const manners = new Map<string, Manner>();
  let knownApi: ModelApi | undefined;

  async function* stream(request: ModelRequest, signal: AbortSignal, log: Log): AsyncGenerator<ModelEvent[]> {
    const model = request.model ?? env.model;
    const settings = withDefaults(request.settings, env.settings);
    let asked: AskedModel = {
      request: await budget.fit({ ...request, settings }, model, signal),
      model,
      manner: manners.get(model) ?? usualManner,
    };
    let api = knownApi ?? responsesApi;
    const refused: Manner[] = [];
    let isHalved = false;
    let tries = 1;
    let waiting = 0;
    while (true) {
      let isSilent = true;
      let isAnswering = false;
      let reply: OpenReply | undefined;
      try {
        if (asked.manner.leftOut.has("stream")) yield [{ type: "unstreamed" }];
        const response = await postRequest(api.path, api.writeBody(asked), signal);
        reply = openReply(api, response, signal);
        while (true) {
          const events = await reply.read();
          const last = events.at(-1);
          if (last === undefined) continue;
          isSilent &&= events[0]?.type === "failed";
          if (!isAnswering && events.some(isAnswer)) {
            isAnswering = true;
            knownApi = api;
            manners.set(model, asked.manner);
          }
          if (last.type !== "failed") yield events;
          else if (events.length > 1) yield events.slice(0, -1);
          if (last.type === "ended") return;
          if (last.type === "failed") throw new FailedReply(last.failure);
        }
      } catch (error) {
        reply?.close();
        signal.throwIfAborted();
        const failure = toFailure(error);
        if (failure === null) throw error;
        if (isAnswering) throw new ModelError(failure, request, env.apiKey);

        if (knownApi === undefined && api === responsesApi && isUnknownPath(failure)) {
          api = chatCompletionsApi;
          continue;
        }
        refused.push(asked.manner);
        const adapted = adapt(failure, api.describe(asked), refused);
        if (adapted !== null) {
          log("warn", "model_refuses", { model, left_out: adapted.change });
          asked = { ...asked, manner: adapted.manner };
          continue;
        }
        if (isTooLong(failure)) {
          const shorter = shortenRequest(asked.request, isHalved);
          if (shorter === null) throw new ModelError(failure, request, env.apiKey);
          const size = sizeOf(asked.request);
          budget.learn(model, size);
          log("warn", "model_input_too_long", { model, characters: size });
          isHalved = true;
          asked = { ...asked, request: shorter };
          continue;
        }
        const wait = isSilent ? waitBefore(failure, tries) : null;
        if (wait === null || tries === (request.maxTries ?? usualTries) || waiting + wait > maxWaiting) {
          throw new ModelError(failure, request, env.apiKey);
        }
        tries++;
        waiting += wait;
        await delay(wait, { signal });
      } finally {
        reply?.close();
      }
    }
  }

  return {
    stream,
    usualName: env.model,
    maxCharacters: budget.maxCharacters,

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

function toFailure(error: unknown): ReportedFailure | null {
  if (error instanceof FailedReply) return error.failure;
  return error instanceof MissingApiKey ? failWith(error.code) : null;
}

/** Milliseconds after which a request might succeed that has just failed; null where another try would not help. */
function waitBefore(failure: ReportedFailure, tries: number): number | null {
  const { status, isUnreachable, retryAfter } = failure;
  const kind = classify(failure);
  const isBroken = isUnreachable || failure.code === "stream_cut";
  const mayPass = kind === "busy" ||
    kind === "unavailable" && (isBroken || status === 408 || status === 409 || status !== null && status >= 500);
  if (!mayPass) return null;
  // Together with the other clients of the server, but not all at once.
  return retryAfter === null ? 500 * 2 ** (tries - 1) * (0.75 + Math.random() / 4) : retryAfter * 1_000;
}

function isAnswer({ type }: ModelEvent): boolean {
  return type === "text" || type === "call" || type === "ended";
}

function withDefaults(settings: ModelSettings, defaults: ModelSettings): ModelSettings {
  return {
    temperature: settings.temperature ?? defaults.temperature,
    reasoningEffort: settings.reasoningEffort ?? defaults.reasoningEffort,
    verbosity: settings.verbosity ?? defaults.verbosity,
    maxOutputTokens: settings.maxOutputTokens ?? defaults.maxOutputTokens,
    store: settings.store ?? defaults.store,
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
  });
  reader.readWhole(response);
  kept.text += answer.end();
  return { ...kept, phase: answer.phase };
}

function statusOf(error: unknown): number {
  return Number(fieldsOf(error).status);
}
