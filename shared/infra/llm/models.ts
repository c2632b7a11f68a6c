import type { OpenaiEnv } from "../env.ts";
import type { Log } from "../log.ts";
import { createMediaReader, type MediaReader } from "./media_reader.ts";
import { createModel, type Model } from "./model.ts";
import { createModelCatalogue, type ModelCatalogue } from "./model_catalogue.ts";

/** The models of a deployment, and the list of its server. */
export type Models = { model: Model; catalogue: ModelCatalogue; media: MediaReader };

/** The models that the environment names. */
export function createModels(env: OpenaiEnv, log: Log): Models {
  const catalogue = createModelCatalogue(env);
  const model = createModel(env, catalogue);
  return { model, catalogue, media: createMediaReader(env, model, log) };
}
