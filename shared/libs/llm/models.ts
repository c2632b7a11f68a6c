import type { ModelServer } from "./model_settings.ts";
import type { Log } from "../base/log.ts";
import type { Tracing } from "../telemetry/tracing.ts";
import { createMediaReader, type MediaReader } from "./media_reader.ts";
import { createModel, type Model } from "./model.ts";
import { createModelCatalogue, type ModelCatalogue } from "./model_catalogue.ts";
import { ModelError } from "./model_error.ts";
import type { Usage } from "./model_event.ts";
import type { SpanAttributes } from "../telemetry/trace_context.ts";

/** The models that are configured, and the list of their server. */
export type Models = { model: Model; catalogue: ModelCatalogue; media: MediaReader };

/** The models that the environment names. */
export function createModels(env: ModelServer, log: Log, tracing: Tracing | null = null): Models {
  const catalogue = createModelCatalogue(env);
  const untraced = createModel(env, catalogue);
  const model = tracing === null ? untraced : traceModel(untraced, env, tracing);
  return { model, catalogue, media: createMediaReader(env, model, log) };
}

/**
 * A model whose replies have spans: with the model and its tokens, never with what is asked or said. A model may be
 * another company's, so that it is not told which trace it belongs to.
 */
function traceModel(model: Model, { baseUrl }: Pick<ModelServer, "baseUrl">, tracing: Tracing): Model {
  const address = baseUrl ?? "https://api.openai.com";
  return {
    ...model,
    async *stream(request, signal, log) {
      const name = request.model ?? model.usualName;
      const span = tracing.begin(`chat ${name}`, address, {
        "gen_ai.operation.name": "chat",
        // The API that is spoken, whoever answers.
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": name,
        "gen_ai.request.stream": true,
      });
      let usage: Usage | null = null;
      let hasEnded = false;
      let failure: unknown = null;
      try {
        for await (const events of model.stream(request, signal, log)) {
          const last = events.at(-1);
          if (last?.type === "ended") {
            usage = last.usage;
            hasEnded = true;
          }
          yield events;
        }
      } catch (error) {
        failure = error;
        throw error;
      } finally {
        // A reader that leaves early comes here as well.
        const hasFailed = failure !== null && !signal.aborted;
        const reason = hasFailed ? describe(failure) : hasEnded ? undefined : "aborted";
        span?.end({ attributes: { ...describeUsage(usage), "error.type": reason }, hasFailed });
      }
    },
  };
}

function describe(failure: unknown): string {
  return failure instanceof ModelError ? failure.kind : "_OTHER";
}

function describeUsage(usage: Usage | null): SpanAttributes {
  if (usage === null) return {};
  const { freshInput, cachedInput, visibleOutput, reasoning } = usage;
  return {
    "gen_ai.usage.input_tokens": freshInput + cachedInput,
    "gen_ai.usage.cache_read.input_tokens": cachedInput,
    "gen_ai.usage.output_tokens": visibleOutput + reasoning,
    "gen_ai.usage.reasoning.output_tokens": reasoning,
  };
}
