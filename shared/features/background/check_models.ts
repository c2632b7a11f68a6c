import * as z from "zod/mini";
import { findModelWarnings } from "../../libs/llm/find_model_warnings.ts";
import type { ListedModel } from "../../libs/llm/model_catalogue.ts";
import { describeError, type Log } from "../../libs/base/log.ts";
import type { IndexerServices } from "./meter_services.ts";

/**
 * Asks the model's server for its list of models. Stores and logs those configured models that end or are missing. If
 * the server cannot be asked, that is stored as well, earlier warnings remain, and the check stays due.
 *
 * @param coachModels the models of coaches that do not use the deployment's.
 */
export async function checkModels(
  { catalogue, database, timeouts }: IndexerServices,
  coachModels: string[],
  { signal, log }: { signal: AbortSignal; log: Log },
): Promise<void> {
  let list: ListedModel[];
  try {
    list = await catalogue.list(AbortSignal.any([signal, AbortSignal.timeout(timeouts.modelList)])) ?? [];
  } catch (error) {
    const reason = describeError(error);
    log("warn", "models_not_checked", { reason });
    // A sweep that has to end says nothing about the server.
    if (!signal.aborted) await database.call("fail_model_check", { reason }, z.null());
    return;
  }
  const ofCoaches = coachModels.map((model) => ({ setting: "coach_profiles.model", model }));
  const today = new Date().toISOString().slice(0, 10);
  const warnings = findModelWarnings([...catalogue.configured, ...ofCoaches], list, today);
  for (const { setting, model, kind, date } of warnings) log("warn", `model_${kind}`, { setting, model, date });
  await database.call("save_model_check", { warnings }, z.null());
}
