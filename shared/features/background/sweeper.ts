import { lazy } from "../../libs/base/lazy.ts";
import { type Sweeper, sweepOneByOne } from "../../core/sweep_one_by_one.ts";
import { createWorkBudget, type WorkBudget } from "../../core/work_budget.ts";
import type { Handler } from "../../http/app_env.ts";
import type { Log } from "../../libs/base/log.ts";
import type { TestingOptions } from "../coach_tests/run_tests.ts";
import { costs, type IndexerServices, meterServices } from "./meter_services.ts";
import { createOpenDocuments } from "./open_documents.ts";
import { sweep } from "./sweep.ts";

const loadAnswerWaiting = lazy(async () => (await import("../chat/turn/answer_waiting.ts")).answerWaiting);
const loadTestRunner = lazy(async () => (await import("../coach_tests/run_tests.ts")).createTestRunner);

/**
 * `POST /indexer`. It replies immediately: callers do not wait for the work. Created once per isolate; `spent` is the
 * time that the isolate has worked so far, in milliseconds.
 */
export function createPostSweep(services: IndexerServices, { spent }: { spent: number }): Handler {
  const budget = createWorkBudget({ limit: services.timeouts.indexing, spent });
  const sweepOnce = createSweeper(services, budget);
  return (c) => {
    budget.charge(costs.request);
    services.waitUntil(sweepOnce(c.var.log));
    return c.json({ message: "Indexing has started" }, 202);
  };
}

/** Creates what does the background work that is due. */
export function createSweeper(services: IndexerServices, budget: WorkBudget): Sweeper {
  const { timeouts } = services;
  const metered = meterServices(services, budget);
  const documents = createOpenDocuments();
  const openTestRunner = lazy(async () => (await loadTestRunner())(services));
  async function sweepFor(at: number, log: Log): Promise<void> {
    const endsAt = at + timeouts.sweep;
    const mayGoOn = () => !budget.isSpent() && performance.now() < endsAt;
    await sweep(metered, {
      log,
      mayGoOn,
      signal: AbortSignal.timeout(at + timeouts.sweepCalls - performance.now()),
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

  return sweepOneByOne({
    lasts: timeouts.sweep,
    sweep: (at, log) => budget.work(() => sweepFor(at, log)),
    handOver: metered.wakeIndexer,
  });
}
