import { lazy } from "../../base/lazy.ts";
import type { Log } from "../../infra/log.ts";
import type { TestingOptions } from "../persona_tests/run_tests.ts";
import type { IndexerServices } from "./indexer_services.ts";
import { costs, meterServices } from "./meter_services.ts";
import { createOpenDocuments } from "./open_documents.ts";
import { sweep } from "./sweep.ts";
import type { WorkBudget } from "../../core/work_budget.ts";

const loadAnswerWaiting = lazy(async () => (await import("../chat/turn/answer_waiting.ts")).answerWaiting);
const loadTestRunner = lazy(async () => (await import("../persona_tests/run_tests.ts")).createTestRunner);

/** Does the work that is due, and settles when it is done or handed over. Never rejects. */
export type Sweeper = (log: Log) => Promise<void>;

/**
 * Runs one sweep at a time, because all requests share the CPU time and the memory of the isolate. If a request arrives
 * during a sweep, another sweep follows.
 */
export function createSweeper(services: IndexerServices, budget: WorkBudget): Sweeper {
  const { timeouts } = services;
  const metered = meterServices(services, budget);
  const documents = createOpenDocuments();
  const openTestRunner = lazy(async () => (await loadTestRunner())(services));
  let running: Promise<void> | null = null;
  /**
   * The last request that no sweep has served yet. The platform only sends requests to an isolate that has time left.
   */
  let asked: { at: number; log: Log } | null = null;

  async function run(): Promise<void> {
    try {
      while (asked !== null) {
        const { at, log }: { at: number; log: Log } = asked;
        asked = null;
        const age = performance.now() - at;
        if (age < timeouts.sweep) await budget.work(() => sweepFor(age, log));
        else await metered.wakeIndexer(log);
      }
    } finally {
      running = null;
    }
  }

  async function sweepFor(age: number, log: Log): Promise<void> {
    const endsAt = performance.now() + timeouts.sweep - age;
    const mayGoOn = () => !budget.isSpent() && performance.now() < endsAt;
    await sweep(metered, {
      log,
      mayGoOn,
      signal: AbortSignal.timeout(timeouts.sweepCalls - age),
      documents,
      // Not metered: it uses hardly any CPU time, and waits for minutes.
      answerWaiting: () =>
        services.waitUntil(loadAnswerWaiting().then((answerWaiting) => answerWaiting(services, log))),
      // Its waits would hide the work of the sweep: it is charged by the piece.
      runTests: (isBudgeted) => {
        const charge: TestingOptions["charge"] = (work, count = 1) =>
          budget.charge(count * (work === "renewal" ? costs.request : costs[work]));
        services.waitUntil(openTestRunner().then((runTests) => runTests({ mayGoOn, charge, log }, isBudgeted)));
      },
    });
  }

  return (log) => {
    asked = { at: performance.now(), log };
    return running ??= run();
  };
}
