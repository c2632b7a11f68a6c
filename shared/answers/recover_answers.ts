import { pooledMap } from "deno-std/async/pool.js";
import { errors } from "../errors.ts";
import { describeError, type Log } from "../log.ts";
import type { CoreServices } from "../core_services.ts";
import type { AnswerState } from "./answer_journal.ts";

/** An answer whose writer has gone: a row still streaming that has shown no sign of life for 30 s. */
export type AbandonedAnswer = { message_id: string; response_id: string | null };

/**
 * Completes such answers from the model backend, at most 8 at a time, and saves them. What the backend no longer has
 * ends as failed with the text that is stored; what it cannot tell in time is left for the next reader. Never rejects.
 */
export async function recoverAnswers(
  { database, model, timeouts }: Pick<CoreServices, "database" | "model" | "timeouts">,
  abandoned: AbandonedAnswer[],
  log: Log,
): Promise<void> {
  const lost = errors.answerFailed();
  const giveUp = AbortSignal.timeout(timeouts.recoveries);
  function giveUpOn(abandoned: AbandonedAnswer): AnswerState {
    log("warn", "answer_lost", { message_id: abandoned.message_id });
    return { ...abandoned, status: "failed", error_code: lost.code, error: "The run that wrote this answer has gone" };
  }
  async function recover({ message_id, response_id }: AbandonedAnswer): Promise<AnswerState | null> {
    if (response_id === null) return giveUpOn({ message_id, response_id });
    try {
      const answer = await model.retrieve(
        response_id,
        AbortSignal.any([giveUp, AbortSignal.timeout(timeouts.recovery)]),
      );
      if (answer === "running") return null;
      if (answer === "gone") return giveUpOn({ message_id, response_id });
      const isWhole = answer.isComplete && answer.text !== "";
      return {
        message_id,
        response_id,
        content: answer.text || undefined,
        status: isWhole ? "complete" : "failed",
        error_code: isWhole ? null : lost.code,
        error: isWhole ? null : "The language model failed",
        input_tokens: answer.usage?.inputTokens ?? null,
        output_tokens: answer.usage?.outputTokens ?? null,
      };
    } catch (error) {
      log("warn", "recovery_failed", { message_id, reason: describeError(error) });
      return null;
    }
  }

  const recovered: AnswerState[] = [];
  for await (const turn of pooledMap(8, abandoned, recover)) if (turn !== null) recovered.push(turn);
  if (recovered.length === 0) return;
  try {
    await database.call("save_turns", { turns: recovered });
  } catch (error) {
    log("warn", "recovery_not_saved", { turns: recovered.length, reason: describeError(error) });
  }
}
