import { describeError } from "../../../infra/log.ts";
import type { PassedOn } from "../prompt/ask_expert_tool.ts";
import type { RunContext } from "./run_context.ts";
import type { ModelTurn } from "./turn.ts";

/** Stores the question of a turn for the expert; returns whether it is stored. Never rejects. */
export async function passOnQuestion(
  ctx: RunContext,
  { messageId, runId }: Pick<ModelTurn, "messageId" | "runId">,
  passedOn: PassedOn,
): Promise<boolean> {
  try {
    // Loaded with the first question, so that other turns start without it.
    const { keepQuestion } = await import("../../questions/store.ts");
    await keepQuestion(ctx.services.database, { messageId, runId, ...passedOn });
    return true;
  } catch (error) {
    ctx.log("error", "question_not_kept", { message_id: messageId, reason: describeError(error) });
    return false;
  }
}
