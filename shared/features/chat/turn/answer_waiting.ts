import * as z from "zod/mini";
import type { Database } from "../../../infra/db/database.ts";
import type { CoreServices } from "../../../core/core_services.ts";
import { withQuestions } from "../../../core/questions/read_questions.ts";
import { embedText } from "../../knowledge/embed_query.ts";
import { describeError, type Log } from "../../../libs/base/log.ts";
import { BegunTurn } from "../begun_turn.ts";
import type { AnswerSink } from "../answer_sinks.ts";
import { prepareTurn } from "../prompt/build_request.ts";
import type { RunContext } from "./turn.ts";
import { planColumns, planTurn } from "./plan_turn.ts";
import { runTurn } from "./run_turn.ts";
import type { NewTurn } from "./store_turn.ts";

/** The number of answers written at the same time. */
const lanes = 4;

/** Has no reader: a client that wants the answer follows the stored one. */
const noReader: AnswerSink = { write() {}, end() {}, isOpen: () => false };

/** Has the model answer the questions that waited for the expert. Never rejects: the rest waits for the next sweep. */
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
      const taken = await takeWaitingTurn(services.database, run, null);
      if (taken === null) return;
      if (taken.turn !== null) await answer(run, taken.turn);
    }
  }

  async function answer(run: WaitingRun, begun: BegunTurn): Promise<void> {
    const { message, mode } = begun.question!;
    const queryVector = await embedText({ services, log }, message);
    const better = queryVector === null
      ? null
      : await takeWaitingTurn(services.database, run, { messageId: begun.messageId, queryVector });
    const turn = prepareTurn(better?.turn ?? begun, { ...run, message, mode, conversation: null, storeNote: null });
    await runTurn({ services, log }, turn, noReader);
  }

  const tried = await Promise.allSettled(Array.from({ length: lanes }, answerAll));
  for (const lane of tried) {
    if (lane.status === "rejected") log("error", "waiting_not_answered", { reason: describeError(lane.reason) });
  }
}

/** An answer that waited for the expert, as a turn for the model; null if the model has nothing to do for it. */
const TakenTurn = z.nullable(z.object({ turn: z.nullable(BegunTurn) }));
type TakenTurn = z.infer<typeof TakenTurn>;

type WaitingRun = Pick<NewTurn, "runId" | "historyCharacters" | "plan">;

/** Begins the run of an answer that the expert has not given, or finds it begun by the same run; null for none. */
async function takeWaitingTurn(
  database: Database,
  { runId, historyCharacters, plan }: WaitingRun,
  begun: { messageId: string; queryVector: string } | null,
): Promise<TakenTurn> {
  return await withQuestions({}, [], ([asked]) =>
    database.call("take_waiting_turn", {
      asked: asked ?? null,
      run_id: runId,
      message_id: begun?.messageId ?? null,
      query_vector: begun?.queryVector ?? null,
      history_characters: historyCharacters,
      plan: planColumns(plan),
    }, TakenTurn));
}
