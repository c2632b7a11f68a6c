import * as store from "../store.ts";
import type { CoreServices } from "../../../core/core_services.ts";
import { embedText } from "../../knowledge/embed_query.ts";
import { describeError, type Log } from "../../../infra/log.ts";
import type { AnswerSink } from "../answer_sinks.ts";
import { prepareTurn } from "../prompt/build_request.ts";
import type { RunContext } from "./turn.ts";
import { planTurn } from "./plan_turn.ts";
import { runTurn } from "./run_turn.ts";

/** The number of answers written at the same time. */
const lanes = 4;

/** Has no reader: a client that wants the answer follows the stored one. */
const noReader: AnswerSink = { write() {}, end() {}, isOpen: () => false };

/**
 * Has the model answer the questions that waited for the expert when a takeover ended. Never rejects: what cannot be
 * begun waits for the next sweep.
 */
export async function answerWaiting(
  services: RunContext["services"] & Pick<CoreServices, "embedder">,
  log: Log,
): Promise<void> {
  const endsAt = performance.now() + services.timeouts.sweep;
  const { model } = await services.loadModels();
  const plan = await planTurn(services, null, { mayStoreNotes: false });

  async function answerAll(): Promise<void> {
    while (performance.now() < endsAt) {
      const run = { runId: crypto.randomUUID(), historyCharacters: model.maxCharacters, plan };
      const taken = await store.takeWaitingTurn(services.database, run, null);
      if (taken === null) return;
      if (taken.turn !== null) await answer(run, taken.turn);
    }
  }

  async function answer(run: store.WaitingRun, begun: store.BegunTurn): Promise<void> {
    const { message, mode } = begun.question!;
    const queryVector = await embedText({ services, log }, message);
    const better = queryVector === null
      ? null
      : await store.takeWaitingTurn(services.database, run, { messageId: begun.messageId, queryVector });
    const turn = prepareTurn(better?.turn ?? begun, { ...run, message, mode, conversation: null, storeNote: null });
    await runTurn({ services, log }, turn, noReader);
  }

  const tried = await Promise.allSettled(Array.from({ length: lanes }, answerAll));
  for (const lane of tried) {
    if (lane.status === "rejected") log("error", "waiting_not_answered", { reason: describeError(lane.reason) });
  }
}
