import { digestApiKey } from "../../shared/core/auth/digest.ts";
import type { Environment } from "./environment.ts";
import type { CostMeter, FunctionCosts } from "./function_costs.ts";

/**
 * The cost of a turn's calls, sent as by the service but without it: one after the other, so that nothing else uses the
 * processor's caches in the meantime.
 */
export async function measureTurnCalls(
  { call, costOf }: CostMeter,
  { apiKey }: Environment,
  threadOf: (call: number) => string,
): Promise<FunctionCosts> {
  const caller = { key_digest: digestApiKey(apiKey), scope: "chat", is_counted: true };
  const admissions = await costOf(async () => {
    await call("admit_request", { caller });
  });
  const turns = await costOf(async (index) => {
    const runId = crypto.randomUUID();
    const { result } = await call<{ result: { message_id: string } }>("begin_turn", {
      caller,
      user_id: null,
      turn: {
        run_id: runId,
        thread_id: threadOf(index),
        content: `turn ${index}`,
        title: `turn ${index}`,
        request_id: runId,
      },
    });
    const saved = {
      message_id: result.message_id,
      run_id: runId,
      content: "What is said now. ".repeat(10),
      status: "complete",
      response_id: `resp_${runId}`,
      input_tokens: 900,
      output_tokens: 50,
      model: "model",
    };
    const remarks = await call<unknown[]>("save_turns", { turns: [saved] });
    if (remarks.length > 0) throw new Error(`The turn was not saved: ${JSON.stringify(remarks)}`);
  });
  return new Map([["admit_request", admissions.get("admit_request")!], ...turns]);
}
