import { readModelServer } from "../../../shared/infra/env.ts";
import { findModelWarnings } from "../../../shared/libs/llm/find_model_warnings.ts";
import type { createModelCatalogue } from "../../../shared/libs/llm/model_catalogue.ts";
import { describeError } from "../../../shared/libs/base/log.ts";
import { timeouts } from "../../../shared/infra/timeouts.ts";

/** The models to check, and the secrets for it. */
export type ModelCheckOptions = {
  secrets: ReadonlyMap<string, string>;
  /** Names of the secrets that are set already; their values cannot be read. */
  secretsBefore: string[];
  createModelCatalogue: typeof createModelCatalogue;
  signal: AbortSignal;
};

/**
 * Asks the model's server for the models that will be used, and returns one sentence for each that ends or is missing.
 * The sentences contain no values of secrets. Never rejects: a deployment works without the result.
 */
export async function checkModels(options: ModelCheckOptions): Promise<string[]> {
  const { secrets, secretsBefore, createModelCatalogue, signal } = options;
  const isUnknown = (name: string) => !secrets.has(name) && secretsBefore.includes(name);
  if (isUnknown("OPENAI_API_KEY") || isUnknown("OPENAI_BASE_URL")) return [];
  try {
    const env = readModelServer((name) => secrets.get(name)?.trim() || null);
    if (env.apiKey === null && env.baseUrl === null) return [];
    const catalogue = createModelCatalogue(env);
    const list = await catalogue.list(AbortSignal.any([signal, AbortSignal.timeout(timeouts.modelList)]));
    const known = catalogue.configured.filter(({ setting }) => !isUnknown(setting));
    return findModelWarnings(known, list ?? [], new Date().toISOString().slice(0, 10))
      .map(({ setting, model, kind, date }) => {
        const named = secrets.has(setting) ? `the model that ${setting} names` : `${model}, the default of ${setting},`;
        return kind === "missing"
          ? `${named} is not in the server's list of models: choose one that is`
          : `${named} is retired on ${date}: choose another one`;
      });
  } catch (error) {
    return [
      `the names of the models were not checked: their server does not list its models (${describeError(error)})`,
    ];
  }
}
