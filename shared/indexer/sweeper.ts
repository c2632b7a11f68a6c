import type { Log } from "../log.ts";
import type { CoreServices } from "../core_services.ts";
import { meterServices } from "./meter_services.ts";
import { createOpenDocuments } from "./open_documents.ts";
import { sweep } from "./sweep.ts";
import type { WorkBudget } from "./work_budget.ts";

/** Has what is due done, and settles when it is done or handed over. Never rejects. */
export type Sweeper = (log: Log) => Promise<void>;

/**
 * Sweeps one at a time: CPU time and memory are those of the isolate, however many requests it has. Whoever asks during
 * a sweep has the work list looked at once more after it.
 */
export function createSweeper(services: CoreServices, budget: WorkBudget): Sweeper {
  const { timeouts } = services;
  const metered = meterServices(services, budget);
  const documents = createOpenDocuments();
  let running: Promise<void> | null = null;
  /** Who has asked last, and when. The platform gives an isolate requests only while it has time left. */
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
    await sweep(metered, {
      log,
      mayGoOn: () => !budget.isSpent() && performance.now() < endsAt,
      signal: AbortSignal.timeout(timeouts.sweepCalls - age),
      documents,
    });
  }

  return (log) => {
    asked = { at: performance.now(), log };
    return running ??= run();
  };
}
