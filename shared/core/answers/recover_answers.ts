import { pooledMap } from "../../libs/base/std/async.ts";
import type { CoreServices } from "../core_services.ts";
import { errors } from "../../infra/errors.ts";
import { describeError, type Log } from "../../libs/base/log.ts";
import type { AnswerState } from "./answer.ts";
import { createCitationFilter } from "./citation_filter.ts";
import type { AbandonedAnswer } from "./stored_answer.ts";
import { saveAnswers } from "./store.ts";

/**
 * Completes abandoned answers from the model backend, at most 8 at a time, and saves them. An answer that the backend no
 * longer has ends as failed, with the text that is stored; one that it does not give in time is left for the next
 * reader. Never rejects.
 */
export async function recoverAnswers(
  { database, loadModels, timeouts }: Pick<CoreServices, "database" | "loadModels" | "timeouts">,
  abandoned: AbandonedAnswer[],
  log: Log,
): Promise<void> {
  const lost = errors.answerFailed();
  const giveUp = AbortSignal.timeout(timeouts.recoveries);
  function giveUpOn({ messageId, responseId }: AbandonedAnswer): AnswerState {
    log("warn", "answer_lost", { message_id: messageId });
    return {
      messageId,
      responseId,
      status: "failed",
      errorCode: lost.code,
      error: "The run that wrote this answer has gone",
    };
  }
  async function recover(answer: AbandonedAnswer): Promise<AnswerState | null> {
    const { messageId, responseId } = answer;
    if (responseId === null) return giveUpOn(answer);
    try {
      const { model } = await loadModels();
      const kept = await model.retrieve(responseId, AbortSignal.any([giveUp, AbortSignal.timeout(timeouts.recovery)]));
      if (kept === "running") return null;
      if (kept === "gone") return giveUpOn(answer);
      const isWhole = kept.isComplete && kept.text !== "";
      const citations = createCitationFilter(answer.sources);
      const text = citations.read(kept.text) + citations.end();
      return {
        messageId,
        responseId,
        content: text || undefined,
        sources: citations.sources,
        phase: kept.phase,
        status: isWhole ? "complete" : "failed",
        errorCode: isWhole ? null : lost.code,
        error: isWhole ? null : "The language model failed",
        usage: kept.usage && { ...kept.usage, isEstimated: false },
      };
    } catch (error) {
      log("warn", "recovery_failed", { message_id: messageId, reason: describeError(error) });
      return null;
    }
  }

  const recovered: AnswerState[] = [];
  for await (const answer of pooledMap(8, abandoned, recover)) if (answer !== null) recovered.push(answer);
  if (recovered.length === 0) return;
  try {
    await saveAnswers(database, recovered);
  } catch (error) {
    log("warn", "recovery_not_saved", { turns: recovered.length, reason: describeError(error) });
  }
}
