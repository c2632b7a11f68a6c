import type { ModelServer } from "./model_settings.ts";
import type { Log } from "../base/log.ts";
import type { Tracing } from "../telemetry/tracing.ts";
import { traceModel } from "./trace_model.ts";
import { createMediaReader, type MediaReader } from "./media_reader.ts";
import { createModel, type Model } from "./model.ts";
import { createModelCatalogue, type ModelCatalogue } from "./model_catalogue.ts";

/** The models that are configured, and the list of their server. */
export type Models = { model: Model; catalogue: ModelCatalogue; media: MediaReader };

/** The models that the environment names. */
export function createModels(env: ModelServer, log: Log, tracing: Tracing | null = null): Models {
  const catalogue = createModelCatalogue(env);
  const untraced = createModel(env, catalogue);
  const model = tracing === null ? untraced : traceModel(untraced, env, tracing);
  return { model, catalogue, media: createMediaReader(env, model, log) };
}
