import type { CoreServices } from "../../core/core_services.ts";
import { createAnswerText } from "../../libs/llm/answer_text.ts";
import type { BudgetedModel } from "../../core/budgets/budgeted_models.ts";
import { unset } from "../../libs/llm/model_settings.ts";
import type { Log } from "../../libs/base/log.ts";
import type { Prompt } from "./prompts.ts";

/** The maximum length of a reply that should be one sentence, in UTF-16 units: models can go on and on. */
const maxReply = 4_000;

/**
 * Returns a model's reply to a prompt. The model is the coach's, or null for the deployment's.
 *
 * @throws {ModelError} when the model fails, or the reason of the signal; a time-out after 20 s.
 */
export async function askModel(
  { model, timeouts }: { model: BudgetedModel } & Pick<CoreServices, "timeouts">,
  coachModel: string | null,
  { instructions, material }: Prompt,
  { signal, log }: { signal: AbortSignal; log: Log },
): Promise<string> {
  const answer = createAnswerText();
  let text = "";
  const asked = model.stream(
    {
      model: coachModel,
      settings: { ...unset, store: false },
      instructions,
      history: [],
      quoted: [],
      input: [{ role: "user", content: material }],
      // A failure is retried later.
      maxTries: 1,
    },
    AbortSignal.any([signal, AbortSignal.timeout(timeouts.question)]),
    log,
  );
  for await (const events of asked) {
    text += events.map(answer.read).join("");
    if (text.length > maxReply) break;
  }
  return text + answer.end();
}
